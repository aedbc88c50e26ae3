#!/usr/bin/perl
# Proves that the suite passes where root cloned into a folder that no other user can enter: what
# programs of another user start is not in the checkout, and .ci/run runs the suite in such a folder, so
# that nothing else comes to need it.
use strict;
use warnings;

use lib 'tests/lib';

use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";

# ---- a program of cgi-bin/ that is asked by FastCGI, in a checkout that is closed

my $build = "$folder/checkout/build";
run_program(['mkdir', '-p', "$build/tests", "$folder/cgi-bin"]);
sub program {
	my ($path, $text) = @_;
	Galley::spew($path, "#!/bin/sh\n$text\n");
	chmod 0755, $path;
}
program("$build/tests/fcgi-once", 'echo "once: $(id -u)" && exec "$@"');
program("$folder/cgi-bin/articles", 'echo answered');
chmod 0700, "$folder/checkout";
{
	local @ENV{qw(GALLEY_CLUSTER GALLEY_BUILD)} = ('host=/nowhere', $build);
	my ($uid, $gid) = Galley->owner_ids;
	my $done = run_program(["$folder/cgi-bin/articles"], as => [$uid, $gid],
		env => { GATEWAY_INTERFACE => 'CGI/1.1', PATH => '/usr/bin:/bin' });
	is $done->{out}, "once: $uid\nanswered\n", 'another user asks a program by FastCGI'
		or diag $done->{err};
	is run_program(['id', '-g'], as => [$uid], env => { PATH => '/usr/bin:/bin' })->{out}, "$gid\n",
		'a user who is named alone has the own group, and never that of root';
}

# ---- .ci/run

my $clone = "$folder/clone";
run_program(['mkdir', '-p', "$clone/.ci"]);
run_program(['cp', Galley::top() . '/.ci/run', "$clone/.ci/run"]);
chmod 0755, $clone;
sub suite_that_exits {
	my ($status) = @_;
	program("$clone/quickstart", 'echo "$* $(stat -c %a .) $(pwd -P)"; read -r line; echo "[$line]"; exit ' . $status);
	return run_program(['bash', "$clone/.ci/run"], env => { PATH => '/usr/bin:/bin' });
}
my $done = suite_that_exits(0);
is $done->{out}, "check 700 $clone\n[]\n", '.ci/run runs the suite where only its owner enters, without input'
	or diag $done->{err};
is $done->{exit}, 0, 'it passes when the suite passes';
is((stat $clone)[2] & 07777, 0755, 'the folder is then open as it was');
is suite_that_exits(3)->{exit}, 3, 'it fails when the suite fails';
is((stat $clone)[2] & 07777, 0755, 'the folder is open as it was, too');

done_testing;
