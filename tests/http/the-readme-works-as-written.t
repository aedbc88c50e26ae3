# Proves that the commands of README lead to a synced folder of pages. Each is run as it is
# written and in its order, with other ports and folders. A command that the test cannot run
# fails it.
# suite: own-build slow
use strict;
use warnings;

use lib 'tests/lib';
use Cwd qw(abs_path);
use File::Temp ();
use Galley;
use Galley::Process qw(alone run_program);
use Test::More;

for my $needed (qw(/usr/bin/apt-get /usr/bin/python3 /usr/bin/curl)) {
	plan skip_all => "there is no $needed on this machine" if !-x $needed;
}
my $lock = alone(Galley::build() . '/quickstart.lock');
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my ($port, $site_port) = map { Galley::Server::free_port() } 1, 2;
my $top = Galley::top();

# A clone, so that `demo` and the files of the commands are the test's own.
my $clone = "$folder/galley";
mkdir $clone;
for my $entry (glob "$top/*") {
	my ($name) = $entry =~ m{([^/]*)$};
	symlink $entry, "$clone/$name" unless $name =~ /^(?:build|demo|.*\.md)$/;
}
# Its history names an address, which is compiled into the programs: they would be built again.
symlink "$top/.git", "$clone/.git" if -e "$top/.git";
# What make writes down of a file there is true of the same file here.
my $build = abs_path(Galley::build());
symlink $build, "$clone/build";
# The owner of the demo must read these files, and may not be able to enter this tree.
Galley::spew("$clone/site-$_.xml",
	Galley::slurp("$top/tests/fixtures/wordpress/small.xml")) for 1, 2;

# ---- the commands of README

my $readme = Galley::slurp("$top/README.md") =~ s/^```.*?^```$//msgr;
my @commands = map { s/^    //gmr } $readme =~ /^(    (?:.*\\\n)*.*)\n/mg;
is scalar(grep { /^git clone/ } @commands), 1, 'how to get it';
@commands = grep { !/^git clone/ } @commands;
cmp_ok scalar @commands, '>', 9, 'and what to do then';

my %known = map { $_ => 1 } qw(./quickstart curl printf demo/bin/galley
	demo/bin/job-runner GALLEY_URL python3 cp);
for my $command (@commands) {
	my ($word) = $command =~ /^([^ =]+)/;
	ok $known{$word}, "this test can run $word";
	$command =~ s/8080/$port/g;
	$command =~ s/8000/$site_port/g;
	$command =~ s{/tmp/}{$folder/}g;
	$command =~ s/^curl /curl -sSf --max-time 20 /;
	$command =~ s{^(./quickstart --detach)$}{$1 --port $port >'$folder/said'};
}

# ---- in one shell

my $script = "trap 'kill \$(jobs -p) 2>/dev/null' EXIT\n";
for my $i (0 .. $#commands) {
	$script .= "echo '== $i'\n$commands[$i]\nprintf '\\n== status %d\\n' \$?\n";
	# The keys that were printed are pasted, the site's server has started.
	$script .= qq{eval "\$(grep '^ *[A-Z_]*KEY=' '$folder/said')"\n}
		if $commands[$i] =~ /^\.\/quickstart --detach/;
	$script .= "until curl -s -o '$folder/null' http://127.0.0.1:$site_port/;"
		. " do :; done\n" if $commands[$i] =~ /&$/;
}
my $note = Galley::slurp("$build/gen/release-note.c");
my $done = run_program(['sh', '-c', "cd '$clone' && { $script }"],
	seconds => 600, env => { %ENV, PYTHONDONTWRITEBYTECODE => 1,
		MAKEFLAGS => '' });
# Other scripts use the programs meanwhile.
is Galley::slurp("$build/gen/release-note.c"), $note, 'no program is built again';
my %said = $done->{out} =~ /^== (\d+)\n(.*?)^== status \d+$/msg;
my %status = $done->{out} =~ /^== (\d+)\n.*?^== status (\d+)$/msg;
for my $i (0 .. $#commands) {
	is $status{$i}, 0, $commands[$i] =~ s/\s+/ /gr
		or diag $said{$i}, $done->{err};
}

# ---- the result

sub about { return join '', map { $said{$_} } grep { $commands[$_] =~ $_[0] } 0 .. $#commands }

like about(qr/limit=1/), qr/"html":"<article/, 'the request is answered';
like about(qr/generate/), qr/"status":"(?:queued|running)"/, 'an article is ordered';
like about(qr/verify-page/), qr/^(\d+) of \1 published articles: \1 as exported,/m,
	'all pages are as exported';
my $line = '<script src="http://127.0.0.1:8080/embed.js" data-pages="demo" async>';
like Galley::slurp("$folder/public/embed.html"), qr/\Q$line\E/, 'a website shows them in a frame';
like Galley::slurp("$folder/public/blog/my-first-article/index.html"),
	qr{<h1[^>]*>My first article</h1>}, 'the first article is a page';
like Galley::slurp("$folder/public/index.html"), qr{href="/blog/my-first-article/"},
	'and is on the index';
is run_program(["$clone/quickstart", '--stop'])->{exit}, 0, 'the demo is ended';
done_testing;

END {
	local $?;
	run_program(["$clone/quickstart", '--stop']) if $clone && -d "$clone/demo/run";
}
