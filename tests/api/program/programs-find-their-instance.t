# Proves that a program belongs to the instance beside it, whatever name it was started by, and
# that a file `instance` beside it may name another one only if no other user could have written
# it (docs/design.md §1).
use strict;
use warnings;
use lib 'tests/lib';
use File::Copy qw(copy);
use File::Path qw(make_path);
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my $tool = $galley->programs . '/bin/galley';

sub workspaces {
	my ($program, @words) = @_;
	my $done = run_program([$program, '--json', @words, qw(workspace list)]);
	return $done->{out} =~ /\Q$workspace\E/ ? 'the instance' : $done->{err};
}

my $link = $galley->scratch . '/galley';
symlink $tool, $link or die "$link: $!";
is workspaces($link), 'the instance', 'started by a link from elsewhere';
is workspaces($tool =~ s{/bin/}{/bin/./}r), 'the instance',
	'by a path that is not the shortest';
my $elsewhere = Galley->new(init => 0);
is workspaces($elsewhere->programs . '/bin/galley', '--instance', $galley->home),
	'the instance', 'or by name, from another';
like workspaces($tool, '--instance', '/nowhere'), qr{^galley: /nowhere: No such},
	'an instance that is not there is none';

# Programs and secrets in two folders: the file `instance` beside the programs names the other
my $shared = Galley->new(shared => 1);
$workspace = $shared->workspace;
$key = $shared->key($workspace);
$tool = $shared->programs . '/bin/galley';
is workspaces($tool), 'the instance', 'what lies apart is found';
is workspaces($elsewhere->programs . '/bin/galley', '--instance',
	$shared->programs), 'the instance', 'by the name of one folder';
is workspaces($elsewhere->programs . '/bin/galley', '--instance',
	$shared->home), 'the instance', 'and of the other';

# Started by its bare name in its folder, as mod_cgid does
for my $folder (qw(short), join('/', ('long' x 40) x 3)) {
	my ($program, $env) = Galley::Request::request_env('GET', '/connection',
		key => $key);
	my $path = $shared->scratch . "/$folder";
	make_path($path);
	copy($shared->programs . "/cgi-bin/$program", "$path/$program") or die $!;
	copy($shared->programs . '/cgi-bin/instance', "$path/instance") or die $!;
	chmod 0755, "$path/$program";
	my $done = run_program(['sh', '-c', "cd '$path' && PATH= && exec $program"],
		env => $env, as => [$shared->owner_ids]);
	like $done->{out}, qr/^Status: 200 /,
		'by its bare name in a folder of ' . length($path) . ' letters';
}

my @ways = (
	['is of relative form', qr/must hold one absolute path/,
		sub { Galley::spew($_[0], "../home\n") }],
	['is empty', qr/must hold one absolute path/,
		sub { Galley::spew($_[0], '') }],
	['has no end', qr/must hold one absolute path/,
		sub { Galley::spew($_[0], '/' . 'x' x 5000) }],
	['may be written by others', qr/may be written by others; say chmod 644/,
		sub { chmod 0666, $_[0] }],
	['is a link', qr/cannot be read/,
		sub { rename $_[0], "$_[0].true"; symlink "$_[0].true", $_[0] }],
	$> == 0 ? ['belongs to another', qr/belongs to another user/,
		sub { chown +(getpwnam 'nobody')[2, 3], $_[0] }] : (),
);
for my $way (@ways) {
	my ($name, $said, $change) = @$way;
	for my $kind (qw(bin cgi-bin)) {
		my $file = $shared->programs . "/$kind/instance";
		my $true = Galley::slurp($file);
		$change->($file);
		if ($kind eq 'bin') {
			like workspaces($tool), qr/^galley: \Q$file\E $said/,
				"one that $name is not followed";
		} else {
			my $answer = $shared->get('/connection', key => $key);
			is_error $answer, 500, 'internal_error', 'nor by an endpoint';
			unlike $answer->{body}, qr{/instance}, 'which tells no path';
			like $answer->{err}, $said, 'but the web server\'s log';
		}
		unlink $file, "$file.true";
		Galley::spew($file, $true);
		chmod 0644, $file;
	}
}
is $shared->get('/connection', key => $key)->{status}, 200, 'as it was, it is found';

done_testing;
