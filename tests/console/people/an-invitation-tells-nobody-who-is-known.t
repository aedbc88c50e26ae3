#!/usr/bin/perl
# Who invites an address does not learn by the link whether somebody here has it (docs/console.md
# §2.2): the page of an invitation, and what it answers to a form that is not right, are the same for
# a new address, for a person with a password, with a second factor, of another spelling, and disabled.
# suite: fast twins
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Galley::Console;
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my ($one, $two) = map { $galley->account } 1, 2;
my $workspace = $galley->workspace(name => 'Place', account => $one);
my $there = $galley->workspace(account => $two);
my $mia = $console->as($console->person(name => 'Mia', role => 'owner', account => $one));
my $password = 'plum-cart-seven-windows';

# Those who have an account already, and what is typed to invite them.
my %known;
for (['password'], ['factor', "factor = x'00'"], ['disabled', 'disabled_at = 1'], ['spelling']) {
	my ($kind, $set) = @$_;
	my $person = $known{$kind} = $console->person(name => "Real \u$kind", email => "$kind\@example.org",
		role => 'writer', workspace => $there);
	$console->sql("UPDATE person SET password = 'x'" . ($set ? ", $set" : '') . " WHERE id = $person->{id}");
}
my %typed = map { $_ => $_ eq 'spelling' ? 'SPELLING@Example.org' : "$_\@example.org" } 'nobody', keys %known;

# What a page says, without what is drawn for each and with one address for all.
sub plain {
	my ($page, $typed) = @_;
	my $body = $page->body =~ s/ab_invite_\w+/LINK/gr =~ s/\Q$typed\E/TYPED/gr
		=~ s/\Q@{[ $typed =~ s{\@}{%40}r ]}\E/TYPED/gr =~ s/name="(token|number)" value="[^"]*"/$1/gr
		=~ s/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/ID/gr =~ s/20\d\d-\d\d-\d\d \d\d:\d\d(?::\d\d)?/TIME/gr
		=~ s{<time [^>]*>.*?</time>}{TIME}grs =~ s/20\d\d-\d\d-\d\dT[\d:.]+Z/TIME/gr
		=~ s/\w+day, \d\d? \w+ 20\d\d, \d\d?:\d\d/TIME/gr;
	return $page->status . "\n" . ($page->header('location') // '') =~ s/ab_invite_\w+/LINK/gr . "\n$body";
}
sub link_of { return $_[0]->body =~ m{galley\.example/console(/invite/ab_invite_\w+)} ? $1 : die 'no link' }

my %answer;
for my $kind ('nobody', sort keys %known) {
	my $typed = $typed{$kind};
	my $say = sub { my ($what, $page) = @_; $answer{$what}{$kind} = plain($page, $typed) };
	my $made = $mia->get("/$one/people")->press('Invite', 'E-mail' => $typed, Name => 'Typed',
		Role => 'writer');
	$say->('the page that shows the link', $made);
	my ($row) = grep { $_->[0] eq 'Typed' } $mia->get("/$one/people")->links;
	my $member = $mia->get($row->[1], whole => 1);
	$say->('the page of the member', $member);
	$made = $member->press('Invite again');
	$say->('Invite again', $made);
	my $link = link_of($made);
	for (['a stranger', $console->browser], ['the inviter', $mia]) {
		my ($who, $browser) = @$_;
		my $page = $browser->get($link);
		is $page->status, 200, "$kind: $who sees the page";
		unlike $page->body, qr/Real/, "$kind: $who learns no name";
		is $page->value('Name'), 'Typed', "$kind: $who is offered the typed one";
		$say->("$who looks", $page);
		for (
			['no name', Name => '', 'New password' => $password],
			['a name that is none', Name => "a\x{202e}b", 'New password' => $password],
			['no password', 'New password' => ''],
			['a short password', 'New password' => 'short'],
			['a password of eight', 'New password' => 'Zk4-w!q9'],
			['a common one', 'New password' => 'password1234'],
			['the address as a password', 'New password' => $typed],
		) {
			my ($what, @fields) = @$_;
			$say->("$who, $what", $page->submit('Continue', @fields));
		}
	}
	my $page = $console->browser->get($link);
	is $page->link("Sign in as $typed") =~ /then=/, 1, "$kind: the sign-in is offered";
	$say->('I cannot sign in', $page->submit('I cannot sign in'));
	$say->('and then', $console->browser->get($link));
	# The row goes, so that the lists are of one length.
	$mia->get($row->[1], whole => 1)->press('End membership');
}
for my $what (sort keys %answer) {
	is $answer{$what}{$_}, $answer{$what}{nobody}, "$what: the same for $_" for sort keys %known;
}
is $console->sql('SELECT count(*) AS n FROM person WHERE locked_out_at IS NOT NULL')->[0]{n}, 5,
	'who cannot sign in is told to the operators in each case';

# What a form that is right does differs: a new person joins, and the others must sign in.
for my $kind ('nobody', sort keys %known) {
	my $before = $kind ne 'nobody' && $console->sql("SELECT * FROM person WHERE id = $known{$kind}{id}");
	my $link = link_of($mia->get("/$one/people")->press('Invite', 'E-mail' => $typed{$kind},
		Name => 'Typed', Role => 'writer'));
	my $page = $console->browser->get($link)->submit('Continue', 'New password' => $password);
	if ($kind eq 'nobody') {
		is $page->landed->heading, 'Home', 'a new person joins';
		is $console->sql("SELECT locked_out_at AS at FROM person WHERE login = 'nobody\@example.org'")
			->[0]{at}, undef, 'and can sign in';
		next;
	}
	is $page->status, 409, "$kind: is refused";
	like $page->summary, qr/has a password here already/, "$kind: with what to do";
	is $page->header('set-cookie'), undef, "$kind: and is not signed in";
	is_deeply $console->sql("SELECT * FROM person WHERE id = $known{$kind}{id}"), $before,
		"$kind: nothing has changed";
	is $console->browser->get($link)->status, 200, "$kind: the link is good";
}

done_testing;
