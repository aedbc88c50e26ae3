# Every screen that answers a GET, in a browser on a phone without script: valid, accessible, no
# wider than the phone, and asking nobody else for anything; a person signs in by keyboard. The
# pictures stay in build/console, to be looked at.
use strict;
use warnings;
use lib 'tests/lib';
use JSON::PP ();
use Test::More;
use Galley;
use Galley::Checkers qw(nu_finds_nothing);
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Screens qw(screens_of world);

my $console = Galley::Console->new;
my $world = world($console);
my $server = $console->serve;
my $owner = $console->as($world->{people}{owner});
my $operator = $console->as($world->{people}{operator});
my $nobody = $console->browser;
my $origin = $owner->origin;
my $folder = Galley::build() . '/console';
my (@screens, %by, @files);

for my $row (grep { $_->{method} eq 'GET' } screens_of($world)) {
	my $who = $row->{access} == 2 ? $nobody : $row->{need} & 16
		|| $row->{access} == 0 && $row->{path} !~ m{^/[WA](?:/|$)} ? $operator : $owner;
	my $name = $row->{path} =~ s{^/}{}r =~ tr{/}{-}r || 'home';
	my $page = $who->request('GET', $row->{address});
	is $page->status, $row->{form}{status} // 200, "$row->{what} answers";
	next if $page->status =~ /^3/;
	my $file = $console->galley->scratch . "/$name.html";
	Galley::spew($file, $page->body);
	push @files, $file;
	# No script runs in what a frame shows, not even axe-core's; its page holds it.
	next if $row->{path} =~ m{/preview/};
	push @{ $by{ $who == $owner ? 'owner' : $who == $operator ? 'operator' : 'nobody' } },
		{ name => $name, address => "$origin$page->{address}" };
}
nu_finds_nothing(@files, Galley::top() . '/lib/screen/console.css');

# Somebody who has a password, by the link of an invitation.
$console->galley->must(qw(person create keys@example.org --name Keys --operator));
my $link = $console->galley->must(qw(person invite keys@example.org))->{link};
my $password = 'kiwi shed twelve stairs';
$console->browser->get($link =~ s{^https?://[^/]+}{}r, whole => 1)
	->press('Continue', 'New password' => $password);

my %who = (owner => $owner, operator => $operator, nobody => $nobody);
my $json = JSON::PP->new->utf8;
for my $name (sort keys %by) {
	my $cookies = $who{$name}->cookies;
	my $done = run_program(['node', Galley::top() . '/tests/node/screens.mjs', $folder],
		env => { %ENV }, seconds => 120, input => $json->encode({
			sign_in => $name eq 'nobody' ? { address => "$origin/console/sign-in",
				email => 'keys@example.org', password => $password } : undef,
			screens => $by{$name}, widths => [360, $ENV{GALLEY_PICTURES} ? 1280 : ()],
			cookies => [map { { name => $_, value => $cookies->{$_}, url => "$origin/console/" } }
				sort keys %$cookies] }));
	is "$done->{exit} $done->{signal}", '0 0', "a browser opens them as $name"
		or diag $done->{err};
	my $found = $json->decode($done->{out});
	is $found->{signed_in}, "Home \x{2013} Galley", 'a person signs in by keyboard alone'
		if $name eq 'nobody';
	is scalar @{ $found->{screens} }, @{ $by{$name} } * ($ENV{GALLEY_PICTURES} ? 2 : 1),
		'each of them';
	for my $view (@{ $found->{screens} }) {
		my $what = "$view->{name} at $view->{width}";
		# A page that waits asks again (docs/console.md §4.9).
		my @wrong = grep { $_->{id} ne 'meta-refresh' } @{ $view->{violations} };
		is_deeply \@wrong, [], "$what: axe-core finds nothing"
			or diag explain \@wrong;
		is $view->{overflow}, 0, "$what: nothing reaches out sideways";
		is_deeply $view->{small}, [], "$what: all is large enough for a finger"
			or diag explain $view->{small};
		is_deeply $view->{refused}, [], "$what: no other host is asked";
		# A page that is not there says so itself.
		my @said = grep { /^(?:error|warning)/ && !/status of 404/ } @{ $view->{said} };
		is_deeply \@said, [], "$what: the browser has nothing to say"
			or diag explain \@said;
	}
}
done_testing();
