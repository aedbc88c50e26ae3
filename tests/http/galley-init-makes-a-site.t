#!/usr/bin/perl
# Proves that one command makes an instance, a customer's workspace and a key, and prints a
# request that works, and that wrong words make nothing. `workspace show` names the empty settings
# with their cost, and `workspace set` says what a change does.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new(init => 0);
my $tool = $galley->home . '/bin/galley';
my $server = $galley->serve;

# ---- wrong words make nothing

for my $case (
	[[qw(--site Blog)], 2, qr/--site needs --language/],
	[[qw(--language en)], 2, qr/are those of a --site/],
	[[qw(--site Blog --language en_US)], 1, qr/not a language tag/],
	[[qw(--site Blog --language en --website example.com)], 1,
		qr/website is an https address/],
	[[qw(--public-url example.com)], 1, qr/public_url must be/],
) {
	my ($words, $exit, $sentence) = @$case;
	my $done = $galley->command('init', @$words);
	is $done->{exit}, $exit, "init @$words: exit $exit";
	like $done->{err}, $sentence, 'the sentence';
	ok !-e $galley->home . '/db/galley.db', 'and no instance';
}

# ---- right words make everything

my $url = $server->url =~ s{/api/v1$}{}r;
my $done = run_program([$tool, 'init', '--public-url', $url,
	qw(--require-https off --language en --website https://www.example.com),
	'--site', 'Example blog'], env => { %ENV, $galley->names_database });
is $done->{exit}, 0, 'init with a site' or diag $done->{err};
my ($curl) = $done->{out} =~ /^  (curl .*)$/m;
my $answer = run_program(['sh', '-c', "$curl --silent --show-error"]);
is $answer->{exit}, 0, 'its request can be copied' or diag $answer->{err};
my $connection = Galley::JSON->new->utf8->decode($answer->{out});
is $connection->{workspace}{name}, 'Example blog', 'and works';
my $shown = $galley->must(qw(workspace show));
is $shown->{website}, 'https://www.example.com', 'the website is set';
is $shown->{public_url}, $url, 'and the address of pictures';
ok $galley->must(qw(account show), 'Example blog')->{verified},
	'the account may order';
is_deeply $galley->must(qw(key list))->[0]{scopes}, ['articles:read'],
	'the key reads';
is $galley->command('init', qw(--site Other --language en))->{exit}, 1,
	'a second init is refused';

my $other = Galley->new(init => 0);
my $made = $other->must(qw(init --site Blog --language ar --public-url
	http://127.0.0.1:1));
is_deeply [sort keys %$made],
	[qw(account_id instance key key_id workspace_id)], 'the same as JSON';
like $other->command(qw(init --site Blog --language ar))->{err},
	qr/exists already/, 'which made an instance';
my $plain = Galley->new(init => 0)->command(qw(init --public-url
	http://127.0.0.1:1));
like $plain->{err}, qr/plain http, and require_https is on/,
	'an address that would be refused is reported';

# An address that is not known yet is set by the command that init names.
my $later = Galley->new(init => 0);
my $unset = run_program([$later->home . '/bin/galley', 'init'],
	env => { %ENV, $later->names_database });
my ($command) = $unset->{out} =~ /run galley (config\s+set\s+public_url=\S+?)[,.]/;
is(($command // $unset->{out}) =~ s/\s+/ /gr, 'config set public_url=https://…',
	'init names the command');
is $later->command(split(/\s+/, ($command // '') =~ s/…/cms.example.com/r))->{exit}, 0,
	'which works as it is written';
like Galley::slurp($later->home . '/galley.conf'),
	qr{^public_url = https://cms\.example\.com$}m, 'and sets it';

# ---- settings

my $text = run_program([$tool, qw(workspace show)])->{out};
like $text, qr/^Blank, and what that costs:\n  address_pattern +no canonical/m,
	'empty settings are named, with their cost';
unlike $text, qr/^  website /m, 'those that are set are not';
is_deeply [sort keys %{ $shown->{blank} }], [qw(address_pattern author_name
	author_url publisher_logo_url publisher_name)], 'as JSON, too';
is $shown->{sample_address}, undef, 'without a pattern there is no address';

sub set { return run_program([$tool, qw(workspace set), 'Example blog', @_])->{out} }

$text = set('address_pattern=/blog/{slug}');
like $text, qr{^an article is at +https://www\.example\.com/blog/an-article$}m,
	'a sample address';
like $text, qr/No article is published: nothing is announced again/,
	'nothing to announce';
$galley->import_text('Example blog', map { "# Number $_\n\nText.\n" } 1 .. 3);
$text = set('address_pattern=/notes/{slug}');
like $text, qr/^This reaches the exports: 3 published articles are announced/m,
	'how many articles are announced again';
like $text, qr{^  https://www\.example\.com/blog/(text-\S+)
to
  https://www\.example\.com/notes/\1$}m,
	'and that they move';
unlike set('analytics_enabled=true'), qr/announced/, 'other settings reach no export';
is $galley->must(qw(workspace set), 'Example blog', 'author_name=Ann')
	->{announced}, 3, 'as JSON, too';
is $galley->must(qw(workspace set), 'Example blog', 'author_name=Ann')
	->{announced}, 0, 'a command that changes nothing announces nothing';

done_testing;
