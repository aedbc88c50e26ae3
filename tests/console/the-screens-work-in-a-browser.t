# Every screen in a browser (docs/console.md §7): each GET of the program's table, and the pages
# that forms answer with. Once in English on a phone without script, and once in the
# pseudo-language on a dark desk with it: valid, accessible, no wider than the window, asking nobody
# else for anything, all of it reached by keyboard, and with no text that cannot be translated. A
# person signs in by keyboard. GALLEY_SCREENS=all looks at each language, width, with and
# without script, light and dark, and at a window at four times its size. With it, and with GALLEY_PICTURES=1, pictures stay in
# build/console/pictures, to be looked at. GALLEY_SCREEN=REGEX looks only at the rows that match it,
# as "GET /W/articles/ID"; what is no row's is left out then.
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib', 'po';
use Encode qw(decode_utf8);
use Galley::JSON ();
use Pseudo;
use Test::More;
use Galley;
use Galley::Checkers qw(nu_finds_nothing);
use Galley::Console;
use Galley::Process qw(patience);
use Galley::Screens qw(screens_of world address_of);

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test', conf => { mail_command => '/bin/true' });
my $world = world($console);
my $server = $console->serve;
my $folder = Galley::build() . '/console/pictures';
my @rows = screens_of($world);
is_deeply [Galley::Screens::differences()], [], "Galley::Screens has each row of the program, and no other";
my $chosen = $ENV{GALLEY_SCREEN};
@rows = grep { $_->{what} =~ /$chosen/ } @rows if defined $chosen;

# ---- who reads

my %readers;
for my $language ('en', 'ar-XB') {
	my $owner = $console->person(name => 'Olga Owner', role => 'owner',
		account => $world->{account});
	my $operator = $console->person(name => 'Otto Operator', role => 'operator');
	$console->sql("UPDATE person SET language = '$language' WHERE id IN ($owner->{id}, $operator->{id})");
	$readers{$language} = { owner => $console->as($owner), operator => $console->as($operator),
		nobody => $console->browser,
		somebody => $console->as($operator, proved => 3600) };
}
my $origin = $readers{en}{owner}->origin;

sub reader_of {
	my ($row) = @_;
	return 'nobody' if $row->{access} == 2;
	return $row->{need} & 16 || $row->{form}{account}
		|| $row->{access} == 0 && $row->{path} !~ m{^/[WA](?:/|$)} ? 'operator' : 'owner';
}

sub ask {
	my ($language, $reader, $method, $path, %option) = @_;
	return $readers{$language}{$reader}->request($method, $path, %option,
		headers => { 'Accept-Language' => $language, %{ $option{headers} // {} } });
}

# ---- the pages of a language: {name, address, reader, answer}

my (%seen, %files);
my $largest = [0, ''];
sub page_of {
	my ($language, $name, $reader, $page, $is_answer, $title) = @_;
	my $file = $console->galley->scratch . "/$name-$language.html";
	Galley::spew($file, $page->body);
	push @{ $files{$language} }, $file;
	my $size = length($page->body) + -s Galley::top() . '/lib/screen/console.css';
	$largest = [$size, $name] if $size > $largest->[0];
	return { name => $name, address => "$origin$page->{address}", reader => "$language $reader",
		title_of_row => $title, heading => $page->heading, refreshes => $page->body =~ /http-equiv="refresh"/ ? 1 : 0,
		$is_answer ? (answer => { status => $page->status, body => decode_utf8($page->body),
			headers => { map { $_ => $page->header($_) } 'content-type',
				'content-security-policy' } }) : () };
}

# Answers that differ in their texts alone are one.
sub is_new {
	my ($language, $page) = @_;
	my $tags = join ' ', map { "$_->{tag}." . ($_->{attr}{class} // '') . '.'
		. ($_->{attr}{name} // '') } $page->all('*');
	return !$seen{"$language $tags"}++;
}

sub words {
	my ($language, $english) = @_;
	return $language eq 'en' || !defined $english ? $english : Pseudo::text($english);
}

# A question is not asked any more when "Revoke" or "Remove" was pressed: the browser gets what it was.
my %is_question = map { $_->{path} => 1 } grep { $_->{method} eq 'POST'
	&& ($_->{form}{from} // '') eq $_->{path} && $_->{path} =~ m{/(?:revoke|end|disable|remove)$} } @rows;
sub gets {
	my ($language) = @_;
	my @pages;
	for my $row (grep { $_->{method} eq 'GET' } @rows) {
		my $reader = reader_of($row);
		my $name = $row->{path} =~ s{^/}{}r =~ tr{/}{-}r || 'home';
		for my $also ('', @{ $row->{form}{also} // [] }) {
			my $page = ask($language, $reader, 'GET', $also eq '' ? $row->{address}
				: address_of($world, $row->{path}, { %{ $row->{form} }, id => $also }));
			is $page->status, $row->{form}{status} // 200, "$row->{what} answers in $language";
			next if $page->status =~ /^3/ || $row->{form}{file};
			is_new($language, $page);
			my $one = page_of($language, $also eq '' ? $name : "$name-$also", $reader, $page,
				$is_question{ $row->{path} }, $row->{title});
			# No script runs in what a frame shows, not even axe-core's; its page holds it.
			push @pages, $one if $row->{path} !~ m{/preview/};
		}
	}
	return @pages;
}

# The pages of forms that were left empty (422), of forms that are another's (409: those with much,
# little and nothing to fill in), and of what is shown once (200).
my %foreign = map { $_ => 1 } 'POST /W/articles/ID', 'POST /W/keys/new', 'POST /W/keys/ID/revoke';
my (%answered, %once);
sub posts {
	my ($language, $how) = @_;
	my (@pages, %asked);
	for my $row (grep { $_->{method} eq 'POST' } @rows) {
		my $reader = reader_of($row);
		my $press = $row->{form}{press} // [$row->{form}{buttons}[0]];
		next if !defined $press->[0]; # a script sends it: no page has its form
		next if $how eq 'foreign' && !$foreign{ $row->{what} } || $row->{path} eq '/sign-out';
		next if $how eq 'done' && (!$row->{form}{press} || $row->{form}{file}
			|| $row->{form}{errand} || $row->{form}{waits} # the pages would ask for themselves
			|| %once && !$once{ $row->{what} });
		my $from = $readers{$language}{$reader}->get(address_of($world,
			$row->{form}{from} // $row->{path}, $row->{form}), headers => { 'Accept-Language' => $language });
		my $root = $from->browser->root;
		my $button = [words($language, $press->[0]), "$root$row->{address}"];
		my $form = eval { $from->form($button) } // next;
		my @texts = map { $_->{name} } grep { !$_->{readonly} && !$_->{disabled}
			&& $_->{type} =~ /^(?:text|email|password|date|textarea)$/ } @{ $form->{fields} };
		next if $how eq 'empty' && !@texts;
		my @given = $how eq 'empty' ? map { $_ => '' } @texts : ();
		for (my $i = 1; $how eq 'done' && $i < @$press; $i += 2) {
			my $name = words($language, $press->[$i]);
			push @given, $from->field($name) ? $name : $press->[$i], $press->[$i + 1];
		}
		my ($to, $fields) = eval { $from->sends($button, @given) };
		next if !$to;
		if ($how eq 'foreign') {
			$fields->[2 * $_ + 1] = '0' x 64 for grep { $fields->[2 * $_] eq 'number' }
				0 .. $#$fields / 2;
		}
		my $answer = $readers{$language}{$reader}->post("$root$row->{address}", $fields,
			whole => 1, headers => { 'Accept-Language' => $language });
		$answered{"$how $row->{what}"} = $answer->status;
		$asked{ $row->{what} } = 1 if $how eq 'done' && $answer->status == 200;
		is $answer->status, 409, "$row->{what}: another form's number" if $how eq 'foreign';
		next if $answer->status =~ /^3/ || !is_new($language, $answer);
		my $name = ($row->{path} =~ s{^/}{}r =~ tr{/}{-}r) . "-$how";
		push @pages, page_of($language, $name, $reader, $answer, 1,
			$answer->status == 422 ? $row->{title} : undef);
	}
	%once = %asked if $how eq 'done';
	return @pages;
}

# What is no row's: the question who it is, what is not there, and the link of an invitation.
sub others {
	my ($language, $link) = @_;
	my ($keys) = grep { $_->{what} eq 'POST /W/keys/new' } @rows;
	my $somebody = $readers{$language}{somebody};
	my ($form, $fields) = $somebody->get($keys->{address})->sends(words($language, 'Create key'),
		map { words($language, $_->[0]) => $_->[1] } ['Name', 'x'], ['Read published articles', 1]);
	my $asked = $somebody->post($form->{action}, $fields, whole => 1);
	is $asked->status, 200, 'a step-up asks';
	my $gone = ask($language, 'owner', 'GET', '/nothing');
	my $join = ask($language, 'nobody', 'GET', $link, whole => 1);
	return (page_of($language, 'step-up', 'somebody', $asked, 1),
		page_of($language, 'not-found', 'owner', $gone, 1),
		page_of($language, 'invitation', 'nobody', $join, 0, 'Invitation'));
}

# Somebody who has a password, by the link of an invitation.
sub invite {
	my ($email) = @_;
	$console->galley->must(qw(person create), $email, qw(--name Keys --operator));
	return $console->galley->must(qw(person invite), $email)->{link} =~ s{^https?://[^/]+}{}r;
}
my $open = invite('open@example.org');
my $password = 'kiwi shed twelve stairs';
$console->browser->get(invite('keys@example.org'), whole => 1)
	->press('Continue', 'New password' => $password);

my %pages = map { my $l = $_; ($l => [gets($l), posts($l, 'empty'), posts($l, 'foreign'),
	defined $chosen ? () : others($l, $open)]) }
	'ar-XB', 'en';
push @{ $pages{$_} }, posts($_, 'done') for 'en', 'ar-XB';
if (!defined $chosen) {
	is scalar(grep { /^foreign / } keys %answered), keys %foreign, 'forms were answered with 409';
	cmp_ok scalar(grep { /^empty / && $answered{$_} == 422 } keys %answered), '>=', 5, 'and with 422';
	cmp_ok keys %once, '>=', 3, 'some answers are shown once';
}
# Nu would take the pseudo-language for one that it knows.
nu_finds_nothing('--no-langdetect', @{ $files{en} }, @{ $files{'ar-XB'} },
	Galley::top() . '/lib/screen/console.css');

cmp_ok $largest->[0], '<=', 150_000, "page and style sheet are small: $largest->[1]";

# ---- in a browser

my %views = $ENV{GALLEY_SCREENS} ? map { my ($width, $script, $dark) = @$_;
		("$width" . ($script ? '-script' : '') . ($dark ? '-dark' : '') =>
			{ width => $width, script => $script, dark => $dark, keyboard => 1 }) }
		map { my $w = $_; map { my $s = $_; map { [$w, $s, $_] } 0, 1 } 0, 1 } 320, 360, 1280
	: (phone => { width => 360, script => 0, languages => 'en' },
		desk => { width => 1280, script => 1, dark => 1, keyboard => 1, languages => 'ar-XB' });
my $json = Galley::JSON->new->utf8;
my (%plan, @screens);
for my $language ('en', 'ar-XB') {
	for my $view (grep { ($views{$_}{languages} // $language) eq $language } sort keys %views) {
		$plan{"$language $view"} = { (map { $_ => $views{$view}{$_} ? JSON::PP::true : JSON::PP::false }
			qw(script dark keyboard)), width => $views{$view}{width},
			height => { 320 => 256, 360 => 740, 1280 => 800 }->{ $views{$view}{width} },
			pseudo => $language eq 'en' ? JSON::PP::false : JSON::PP::true };
		push @screens, map { +{ %$_, view => "$language $view" } } @{ $pages{$language} };
	}
}
# The browser says a line of each screen as soon as it has looked at it.
my $to_do = $console->galley->scratch . '/plan.json';
Galley::spew($to_do, $json->encode({
		sign_in => { address => "$origin/console/sign-in", email => 'keys@example.org',
			password => $password },
		readers => { map { my $l = $_; map { my $cookies = $readers{$l}{$_}->cookies;
			("$l $_" => { language => $l, cookies => [map { { name => $_, value => $cookies->{$_},
				url => "$origin/console/" } } sort keys %$cookies] }) } keys %{ $readers{$l} } } keys %readers },
		data => ['English', "\x{627}\x{644}\x{639}\x{631}\x{628}\x{64a}\x{629} (unreviewed)", 'X-Request-Id', 'Account 1', 'Another title',
			# Languages, as they name themselves.
			decode_utf8(Galley::slurp('lib/console/choices.c')) =~ /^\t\{ "[\w-]+", "([^"]+)"/gm,
			# Words of pictures.
			'A picture', 'Another text', 'Grey',
			# Words of imports: what was lost is told in the words of the tool.
			'A post', 'Another post', 'It has no text.', 'of type page',
			'line 3: the tag <blink> was dropped, its text kept',
			'the tag <blink> was dropped, its text kept',
			# Words of checks.
			'https: The certificate ends tomorrow.', 'Renew it.', 'It is well.', map("check $_", 1 .. 5),
			# Words of orders.
			'An order', 'In short.', 'From below', 'All', 'A heading', 'A point', 'A question?', 'A word',
			'A source', 'A house', 'The endpoint is not there.', 'Another topic', (getpwuid $>)[0], map("Person $_", 1 .. 99), map("The $_", qw(reader writer reviewer editor owner)), map("Workspace $_", 1 .. 9), map { my $r = $_; map { $_->person ? @{ $_->person }{qw(name email)} : () }
			values %{ $readers{$r} } } keys %readers],
		pictures => $ENV{GALLEY_PICTURES} || $ENV{GALLEY_SCREENS} ? JSON::PP::true : JSON::PP::false,
		views => \%plan, screens => \@screens }));
my $node = open(my $lines, '-|') // die "fork: $!";
if ($node == 0) {
	open STDIN, '<', $to_do or die "$to_do: $!";
	exec 'node', Galley::top() . '/tests/node/screens.mjs', $folder or die "node: $!";
}
local $SIG{ALRM} = sub { kill KILL => $node };
# A browser that hangs is ended, however long all of it takes.
alarm 300 * patience();
is $json->decode(readline($lines) // '{}')->{signed_in}, "Home \x{2013} Galley",
	'a person signs in by keyboard alone';
my ($looked_at, %title, %copies) = (0);
while (my $line = readline $lines) {
	my $screen = $json->decode($line);
	# A look at every view takes longer than anybody stays proved.
	$console->sql(sprintf 'UPDATE session SET proved_at = %d, ends_at = %d', map { 1_000_000 * (time + $_) } 0, 3600)
		if $looked_at % 100 == 99;
	alarm 120 * patience();
	$looked_at++;
	$copies{ $screen->{name} } = 1 if $screen->{copies};
	my $what = "$screen->{name}, $screen->{view}";
	# A page that waits asks again (docs/console.md §4.9); a refresh of exports was begun
	# meanwhile.
	my @wrong = grep { $_->{id} ne 'meta-refresh' || !$screen->{refreshes}
			&& $screen->{name} ne 'W-settings-exports' }
		@{ $screen->{violations} };
	is_deeply \@wrong, [], "$what: axe-core finds nothing" or diag explain \@wrong;
	is $screen->{overflow}, 0, "$what: nothing reaches out sideways";
	cmp_ok $screen->{row}, '<=', $screen->{view} =~ /phone|360/ ? 215 : 260, "$what: the work begins at once"
		if $screen->{name} eq 'W-articles' && $screen->{view} =~ /^en (?!320)/;
	is_deeply $screen->{$_->[0]}, [], "$what: $_->[1]" or diag explain $screen->{$_->[0]} for
		['small', 'all is large enough for a finger'], ['refused', 'no other host is asked'],
		['unreached', 'the keyboard reaches all'], ['uncopied', 'what is to be copied is copied'],
		['undated', 'its dates are in words'], ['built', 'it has its parts once'], ['squeezed', 'no button or key of a list is broken over lines'], ['unmarked', 'each text is translated'];
	# A page that refuses says so itself.
	my @said = grep { /^(?:error|warning)/ && !/status of 4\d\d/ } @{ $screen->{said} };
	is_deeply \@said, [], "$what: the browser has nothing to say" or diag explain \@said;
	# That article was renamed meanwhile.
	is $screen->{heading_there}, $screen->{heading}, "$what: it is that page"
		if $screen->{name} !~ /^(?:W-(?:statistics-)?articles-ID|published)\z/;
	# A title is not looked at with the other texts: that of an article is data.
	$title{ $screen->{name} } = $screen->{heading} if $screen->{view} =~ /^en/;
	is $screen->{heading}, Pseudo::text($screen->{title_of_row}), "$what: its title is translated"
		if $screen->{view} =~ /^ar-XB/ && defined $screen->{title_of_row}
		&& $title{ $screen->{name} } eq $screen->{title_of_row};
}
close $lines;
is $?, 0, 'a browser opens them';
alarm 0;
is $looked_at, @screens, 'each of them';
cmp_ok scalar(keys %copies), '>=', 5, 'what is shown once, and lines to paste, can be copied'
	if !defined $chosen;
done_testing();
