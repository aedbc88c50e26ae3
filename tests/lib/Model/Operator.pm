# The operator's commands for everything but articles: accounts, credits, workspaces and their
# settings, keys, galley.conf (docs/design.md §3, §5, §6).
package Model::Operator;

use strict;
use warnings;

use Galley::JSON ();

use Model::Match qw(token some anything shown);
use Model::Time qw(moment);

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my %refused = (exit => 1, json => anything());

# ---- accounts and their credits

# {name, verified, credits}
sub do_account_create {
	my ($world, $op) = @_;
	my $account = $world->{accounts}{ $op->{name} } = { name => $op->{name},
		verified => $op->{verified}, suspended => 0, refs => {}, ledger => [],
		map { $_ => 0 } qw(granted available reserved spent) };
	move($account, 'grant', { available => $op->{credits} },
		ref => 'account create') if $op->{credits};
	$world->committed;
	return { exit => 0, json => { id => token('uuid', "account $op->{name}") } };
}

# Adds a row to the ledger; `by` is the amount.
sub move {
	my ($account, $kind, $by, %of) = @_;
	my %row = (kind => $kind, ref => $of{ref}, job => $of{job});
	for my $part (qw(available reserved spent)) {
		$row{$part} = $by->{$part} // 0;
		$row{"${part}_after"} = $account->{$part} += $row{$part};
	}
	$account->{granted} += $row{available} if $kind =~ /^(?:grant|revoke)$/;
	push @{ $account->{ledger} }, \%row;
}

sub balance {
	my ($account) = @_;
	return map { $_ => $account->{$_} + 0 } qw(granted available reserved spent);
}

# {account, credits, ref}. The same reference never grants twice, and is refused with another
# amount.
sub do_grant {
	my ($world, $op) = @_;
	my $account = $world->{accounts}{ $op->{account} };
	my $moved = $account->{refs}{"grant $op->{ref}"};
	return { %refused } if defined $moved && $moved != $op->{credits};
	my $new = !defined $moved;
	$account->{refs}{"grant $op->{ref}"} = $op->{credits};
	move($account, 'grant', { available => $op->{credits} }, ref => $op->{ref}) if $new;
	$world->committed;
	return { exit => 0, json => some({ done => $new ? $true : $false,
		balance($account) }) };
}

# Never revokes more than is available.
sub do_revoke {
	my ($world, $op) = @_;
	my $account = $world->{accounts}{ $op->{account} };
	my $moved = $account->{refs}{"revoke $op->{ref}"};
	return { %refused } if defined $moved && $moved != $op->{credits};
	my $new = !defined $moved;
	return { %refused } if $new && $op->{credits} > $account->{available};
	if ($new) {
		$account->{refs}{"revoke $op->{ref}"} = $op->{credits};
		move($account, 'revoke', { available => -$op->{credits} }, ref => $op->{ref});
	}
	$world->committed;
	return { exit => 0, json => some({ done => $new ? $true : $false,
		balance($account) }) };
}

# {account, verb}: verify, suspend or resume. A repeated command changes nothing.
sub do_account_state {
	my ($world, $op) = @_;
	my $account = $world->{accounts}{ $op->{account} };
	$account->{verified} = 1 if $op->{verb} eq 'verify';
	$account->{suspended} = $op->{verb} eq 'suspend' ? 1 : 0 if $op->{verb} ne 'verify';
	$world->committed;
	return { exit => 0, json => some({ id => token('uuid', "account $op->{account}"),
		verified => $account->{verified} ? $true : $false,
		suspended => $account->{suspended} ? $true : $false, balance($account) }) };
}

sub do_credits {
	my ($world, $op) = @_;
	return { exit => 0, json => { balance($world->{accounts}{ $op->{account} }) } };
}

sub do_ledger {
	my ($world, $op) = @_;
	my $number = 0;
	my @rows = map {
		my %row = %$_;
		my $job = delete $row{job};
		some({ %row, number => ++$number,
			job_id => defined $job ? token('uuid', "job $job") : undef });
	} @{ $world->{accounts}{ $op->{account} }{ledger} };
	return { exit => 0, json => \@rows };
}

# ---- workspaces

# {name, account, language, title}
sub do_workspace_create {
	my ($world, $op, $now) = @_;
	$world->{workspaces}{ $op->{name} } = { name => $op->{name},
		account => $op->{account}, rank => 0, settings_number => 0, settled => 1,
		clock => moment($now, "stamp $op->{name} 0"),
		settings => { name => $op->{title}, language => $op->{language},
			map { $_ => '' } qw(website address_pattern publisher_name
				publisher_logo_url author_name author_url analytics_enabled
				analytics_origins) } };
	$world->committed;
	return { exit => 0, json => { id => token('uuid', "workspace $op->{name}") } };
}

# Returns the settings that reach an export, as a text. A publisher's name is not the same as the
# workspace's own name: a publishing check asks whether there is a publisher.
sub effective {
	my ($workspace) = @_;
	my %of = %{ $workspace->{settings} };
	$of{brand} = length $of{publisher_name} ? $of{publisher_name} : $of{name};
	$of{named} = length $of{publisher_name} ? 1 : 0;
	delete @of{qw(name publisher_name analytics_enabled analytics_origins)};
	return join "\0", map { "$_=$of{$_}" } sort keys %of;
}

# The settings revision (s1_) never returns to an older value: it counts the effective changes.
sub settings_revision {
	my ($workspace) = @_;
	return token('s1', "$workspace->{name} $workspace->{settings_number}");
}

# {workspace, fields}
sub do_workspace_set {
	my ($world, $op) = @_;
	my $workspace = $world->{workspaces}{ $op->{workspace} };
	my $before = effective($workspace);
	%{ $workspace->{settings} } = (%{ $workspace->{settings} }, %{ $op->{fields} });
	$workspace->{settings_number}++ if effective($workspace) ne $before;
	$world->committed;
	my %shown = map { $_ => length $workspace->{settings}{$_}
		? $workspace->{settings}{$_} : undef } qw(name language website
		address_pattern publisher_name publisher_logo_url author_name author_url);
	return { exit => 0, json => some({ %shown,
		id => token('uuid', "workspace $workspace->{name}"),
		settings_revision => settings_revision($workspace),
		clock => shown($workspace->{clock}) }) };
}

# ---- keys

# {name, workspace, scopes, expires}: `expires` in seconds from now, or undef.
sub do_key_create {
	my ($world, $op, $now) = @_;
	my $span = ($op->{expires} // 0) * 1000000;
	$world->{keys}{ $op->{name} } = { name => $op->{name}, used => [],
		workspace => $op->{workspace}, scopes => { map { $_ => 1 } @{ $op->{scopes} } },
		revoked => 0, expires => $span ? moment({ lo => $now->{lo} + $span,
			hi => $now->{hi} + $span }, "expiry of $op->{name}") : undef };
	$world->committed;
	return { exit => 0, json => { id => token('uuid', "key $op->{name}"),
		key => token('key', $op->{name}) } };
}

sub do_key_revoke {
	my ($world, $op) = @_;
	my $key = $world->{keys}{ $op->{key} };
	$key->{revoked} = 1;
	$world->committed;
	return { exit => 0, json => some({ id => token('uuid', "key $op->{key}") }) };
}

# ---- the clock: every process sees the new time

sub do_clock { return {} }

# ---- galley.conf: every request reads it again

sub do_conf {
	my ($world, $op) = @_;
	%{ $world->{conf} } = (%{ $world->{conf} }, %{ $op->{fields} });
	return {};
}

1;
