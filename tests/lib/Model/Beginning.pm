# The data that every seed begins with: the same accounts, workspaces, keys and articles, made
# by the operator's commands.
package Model::Beginning;

use strict;
use warnings;

use Model::Steps qw(command import_of key_create);

# Operations: code that is given `$id->(KIND, NAME)`. Each is made when those before it are
# done.
sub operations {
	my @accounts = (['A0', 1, 200], ['A1', 1, 60], ['A2', 0, 50]);
	my @workspaces = (['W0', 'A0'], ['W1', 'A0'], ['W2', 'A1'], ['W3', 'A2']);
	my @all = qw(articles:read drafts:read articles:generate);
	my @keys = (['W0', undef, @all], ['W0', undef, 'articles:read'],
		['W0', 1, @all[0, 1]], ['W0', undef, 'articles:generate'],
		['W0', undef, 'drafts:read'], ['W1', undef, @all], ['W1', 2, 'articles:generate'],
		['W2', undef, @all], ['W2', undef, 'articles:generate'], ['W3', undef, @all],
		['W0', undef, 'articles:read']);
	my @texts = map { ["text-$_", 'W' . ($_ < 5 ? 0 : $_ < 7 ? 1 : 2), $_ % 4 != 0,
		$_ % 2 ? '2025-01-02' : undef] } 1 .. 8;
	return map({ account($_) } @accounts), map({ workspace($_) } @workspaces),
		website(), map({ key($_, $keys[$_]) } 0 .. $#keys),
		sub { my ($id) = @_; command('key_revoke', [qw(key revoke), $id->('key', 'K10')],
			key => 'K10') },
		map({ text($_) } @texts);
}

sub account {
	my ($name, $verified, $credits) = @{ $_[0] };
	return sub { command('account_create', ['account', 'create', "Account $name",
		$verified ? '--verified' : (), '--credits', $credits], name => $name,
		verified => $verified, credits => $credits) };
}

sub workspace {
	my ($name, $account) = @{ $_[0] };
	return sub { my ($id) = @_; command('workspace_create', ['workspace', 'create',
		'Workspace ' . substr($name, 1), '--account', $id->('account', $account),
		qw(--language en)], name => $name, account => $account, language => 'en',
		title => 'Workspace ' . substr $name, 1) };
}

sub website {
	my %field = (website => 'https://www.example.com', address_pattern => '/blog/{slug}');
	return sub { my ($id) = @_; command('workspace_set', ['workspace', 'set',
		$id->('workspace', 'W0'), map { "$_=$field{$_}" } sort keys %field],
		workspace => 'W0', fields => \%field) };
}

sub key {
	my ($number, $of) = @_;
	my ($workspace, $days, @scopes) = @$of;
	return sub { my ($id) = @_; key_create("K$number", $workspace,
		$id->('workspace', $workspace), $days, @scopes) };
}

sub text {
	my ($name, $workspace, $publish, $date) = @{ $_[0] };
	my ($number) = $name =~ /(\d+)/;
	return sub { my ($id) = @_; import_of($name, $workspace,
		$id->('workspace', $workspace), $publish, { title => "Article number $number",
			description => '', section => '', tags => [], noindex => 0,
			sections => [{ heading => "Part $number", paragraphs => ["Text of $number."],
				$publish ? () : (todo => "Finish $number.") }],
			$date ? (date => $date) : () }) };
}

1;
