# Proves what SECURITY.md promises about providers. No provider can read the database, a key or
# the instance's files, look into another program, end one, or write outside its folder, even if
# its program is beside the instance. It cannot read another instance, even one beside the
# programs. It can do everything that docs/provider.md says.
use strict;
use warnings;
use lib 'tests/lib';
use File::Temp ();
use POSIX ();
use Test::More;
use JobRun;

plan skip_all => 'the numbers of system calls are those of x86-64'
	if (POSIX::uname())[4] ne 'x86_64';

# The installed programs are used: those of the test build are not confined.
my $jobs = JobRun->new(build => '', provider => 'hostile', credits => 100000);
my $galley = $jobs->galley;
my ($home, $scratch) = ($galley->home, $galley->scratch);
my $number = 0;

my ($finding) = grep { $_->{check} eq 'provider' }
	@{ $galley->command('doctor')->{json} };
# Features that a kernel before 6.12 lacks do not matter for these attempts.
my $old = $finding->{message} =~ /older than Linux 6\.12/;
plan skip_all => "doctor: $finding->{message}" if $finding->{level} ne 'ok' && !$old;
like $finding->{message}, qr/^a provider is confined/, 'doctor says that it is confined'
	if !$old;

# {ATTEMPT => result}
sub tried {
	my ($topic) = @_;
	my $id = $jobs->ordered('order-' . ++$number, topic => $topic);
	my $run = $jobs->run(seconds => 120);
	is "$run->{exit} $run->{signal} $run->{err}", '0 0 ', "$topic: the runner is well";
	my $article = $jobs->article($id);
	diag Galley::slurp("$home/log/runner.log") if !$article;
	return { map { split /: (?=[^:]*\z)/, $_->{text}, 2 }
		map { @{ $_->{body} } } @{ $article->{content}{sections} } };
}

my $other = File::Temp->newdir;
my $elsewhere = "$other/added";
Galley::spew("$scratch/hostile.conf", "a setting\n");
Galley::spew($elsewhere, "text\n");
chmod 0644, "$scratch/hostile.conf", $elsewhere or die;
chmod 0755, "$other" or die;
# An instance of the same user, in a folder that every program may read
my $neighbour = -w '/opt' ? File::Temp->newdir('galley-XXXXXX', DIR => '/opt') : $other;
mkdir "$neighbour/db" or die;
Galley::spew("$neighbour/$_", "a secret\n") for qw(db/pepper galley.conf);
chmod 0755, "$neighbour", "$neighbour/db" or die;
chmod 0644, "$neighbour/db/pepper", "$neighbour/galley.conf" or die;

# A provider beside the instance, in a folder that is not its own
for my $where ('beside the instance', 'in a folder of its own', 'in the instance') {
	my $folder = { 'beside the instance' => $home =~ s{/[^/]+\z}{}r,
		'in a folder of its own' => "$scratch/own",
		'in the instance' => "$home/providers/mine" }->{$where};
	system('mkdir', '-p', $folder) == 0
		and system('cp', "$scratch/hostile", "$scratch/hostile.conf", $folder) == 0 or die;
	chown $galley->owner_ids, "$folder/hostile", "$folder/hostile.conf" if $> == 0;
	$galley->conf(provider => "$folder/hostile");
	my $pepper = join ' ', (stat "$home/db/pepper")[2, 4, 7, 9];
	my $conf = join ' ', (stat "$home/galley.conf")[2, 4, 7, 9];
	my $attacked = tried("attack $neighbour");
	cmp_ok scalar(keys %$attacked), '>', 50, 'it tried';
	delete $attacked->{'list beside'} if $where ne 'beside the instance';
	is_deeply [ map { "$_: $attacked->{$_}" }
		grep { $attacked->{$_} !~ /^(?:EACCES|EPERM|EXDEV|ENOSYS)$/ }
		sort keys %$attacked ], [], "$where: nothing that it tried was done";
	is join(' ', (stat "$home/db/pepper")[2, 4, 7, 9]), $pepper, 'the pepper is as it was';
	is join(' ', (stat "$home/galley.conf")[2, 4, 7, 9]), $conf, 'galley.conf too';

	$galley->conf(provider_reads => '');
	my $could = tried("work $elsewhere");
	is delete $could->{'read what was added'}, 'EACCES', 'what was not added is not read';
	delete $could->{hosts} if !-e '/etc/hosts'; # a new root has none
	is_deeply [ map { "$_: $could->{$_}" } grep { $could->{$_} ne 'done' }
		sort keys %$could ], [], "$where: it can do what it may";
	$galley->conf(provider_reads => "/nowhere $elsewhere");
	is tried("work $elsewhere")->{'read what was added'}, 'done', 'what was added is';
	$galley->conf(provider_reads => $home);
	is tried("work $home/galley.conf")->{'read what was added'}, 'EACCES',
		'the instance cannot be added';
}

is $jobs->broken, '', 'verify finds nothing';
done_testing;
