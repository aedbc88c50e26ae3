#!/usr/bin/perl
# Proves that a language tag is accepted if its language, script and region are registered (IANA)
# or for private use; any other tag is refused, with the tag that was probably meant. A tag is
# checked only when it changes: a stored tag stays.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Encode ();
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new;
my $account = $galley->must(qw(account create Customer --verified))->{id};
my $workspace = $galley->workspace(account => $account, name => 'Blog');

sub refused {
	my ($sentence, $say, @words) = @_;
	my $done = $galley->command(@words);
	is $done->{exit}, 1, "$say: refused";
	like $done->{err}, $sentence, '  and says why';
}

# ---- the language of a workspace
for my $case (['klingon', 'tlh'], ['gr', 'el'], ['jp', 'ja'], ['cz', 'cs'], ['dk', 'da'],
	['ua', 'uk'], ['english', 'en'], ['English', 'en'], ['englsh', 'en'], ['eng', 'en'],
	['ger', 'de'], ['deu', 'de'], ['en_GB', 'en-GB'], ['en_GB.UTF-8', 'en-GB'],
	['pt_br', 'pt-BR'], ['en-UK', 'en-GB'], ['cn', 'zh'], ['deutsch', 'de']) {
	my ($wrong, $right) = @$case;
	refused(qr/^galley: \Q$wrong\E is not a language tag.*; did you mean \Q$right\E\?$/m,
		$wrong, qw(workspace set), $workspace, "language=$wrong");
}
refused(qr/there is no language xx: write en, ar, pt-BR/, 'xx-yy', qw(workspace set),
	$workspace, 'language=xx-yy');
refused(qr/there is no region YY/, 'en-YY', qw(workspace set), $workspace, 'language=en-yy');
refused(qr/there is no script Abcd/, 'en-Abcd', qw(workspace set), $workspace,
	'language=en-Abcd');
refused(qr/there is no region 840/, 'en-840', qw(workspace set), $workspace, 'language=en-840');
is $galley->must(qw(workspace show), $workspace)->{language}, 'en', 'the language is as it was';
refused(qr/did you mean el\?/, 'workspace create', qw(workspace create Other --account),
	$account, qw(--language gr));
for my $right (qw(de gsw AR pt-br zh-hant-TW sr-Latn es-419 en-001 tlh yue zh-yue haw sl-rozaj
	de-1996 ar-u-nu-arab x-private qaa en-Qaaa en-XA en-AA und mul zxx iw)) {
	is $galley->command(qw(workspace set), $workspace, "language=$right")->{exit}, 0,
		"$right is accepted";
}
$galley->must(qw(workspace set), $workspace, 'language=en');
like $galley->command(qw(workspace set), $workspace, 'language=se')->{err},
	qr/^se is Northern Sami; Swedish is sv\.$/m, 'a likely mistake that is a language is reported';
$galley->must(qw(workspace set), $workspace, 'language=en');

# ---- the language of an article
my ($id) = $galley->import_text($workspace, "# Compost\n\nText.\n");
refused(qr/jp is not a language tag.*did you mean ja/, 'article set', qw(article set), $id,
	'language=jp');
sub file {
	my ($name, $front) = @_;
	my $path = $galley->scratch . "/$name.md";
	Galley::spew($path, "---\ntitle: $name\n$front\n---\nText.\n");
	return (qw(article import --workspace), $workspace, $path);
}
refused(qr/line 3: cz is not a language tag.*did you mean cs\?/, 'front matter',
	file('czech', 'lang: cz'));
refused(qr/line 3: lang must be a language tag \(en-GB\), not en_GB/, 'an underscore',
	file('british', 'lang: en_GB'));
is $galley->command(file('danish', 'lang: da'))->{exit}, 0, 'a registered language';

# ---- stored tags
$galley->sql("UPDATE workspace SET language = 'xx'");
$galley->sql("UPDATE article SET language = 'yy' WHERE uuid = '$id'");
is $galley->command(qw(workspace set), $workspace, 'author_name=Dana', 'language=xx')->{exit}, 0,
	'a workspace keeps its tag';
is $galley->command(qw(article set), $id, 'title=Worms', 'language=yy')->{exit}, 0,
	'an article keeps its tag';
my $markdown = $galley->must(qw(article show --as markdown), $id)->{markdown};
my $path = $galley->scratch . '/again.md';
Galley::spew($path, Encode::encode_utf8($markdown =~ s/Text/Other text/r));
is $galley->command(qw(article import --workspace), $workspace, $path)->{exit}, 0,
	'a document that was exported with it is imported';
is $galley->command(file('plain', 'tags: [a]'))->{exit}, 0,
	'a document without one takes the workspace\'s';
refused(qr/there is no language zz/, 'another tag is checked', qw(article set), $id,
	'language=zz');

# ---- galley init
my $home = $galley->scratch . '/home';
mkdir $home or die $!;
chmod 0755, $home;
my $done = run_program([$galley->home . '/bin/galley', '--instance', $home, qw(init --site Blog
	--language klingon --owner), (getpwuid((stat $galley->home . '/db')[4]))[0]]);
is $done->{exit}, 1, 'init refuses it';
like $done->{err}, qr/did you mean tlh\?/, '  with what was meant';

# ---- a line of the data file that has no form, or is there twice, ends the build
my $lines = "$home.txt";
for my $case (['two de', ''], ["two de\ntwo de", ':2: de is there twice'], ["three aaa\n\nthree abc aaa", ':3: aaa is there twice'],
	['two de deu ger', ':1: the line has not the form'], ["# names\nscript latn", ':2: the line has not the form'],
	['region D1', ':1: the line has not the form'], ['tongue de', ':1: the line has not the form'],
	['two de deu - ' . 'n' x 20, ':1: the line has not the form']) {
	my ($text, $fault) = @$case;
	open my $file, '>', $lines or die $!;
	print $file "$text\n";
	close $file;
	my $made = run_program([$^X, Galley::top() . '/lib/content/languages.pl', $lines]);
	is $made->{err}, '', 'a good line makes a table' if $fault eq '';
	like $made->{err}, qr/^\Q$lines$fault\E/, "'$text' is refused" if $fault ne '';
	is !!$made->{exit}, $fault ne '', '  and ' . ($fault eq '' ? 'ends well' : 'ends the build');
}

# ---- the API's programs do not contain the table
for my $source (glob Galley::top() . '/cgi-bin/*.c') {
	my $program = Galley::build() . '/cgi-bin/' . ($source =~ m{([^/]+)\.c$})[0];
	my $names = run_program(['/usr/bin/nm', $program], env => { PATH => '/usr/bin' });
	unlike $names->{out}, qr/subtag_three/, "not in $program" if $names->{exit} == 0;
}

done_testing;
