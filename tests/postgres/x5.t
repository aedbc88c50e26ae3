use strict; use warnings; use lib 'tests/lib';
use Galley; use Galley::PostgresProxy; use Galley::Request qw(request_env split_answer); use Test::More;
my ($f) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
for my $do (qw(cut cut-after)) {
my $one = Galley->new(build => 'test'); my $ws = $one->workspace(name => 'Mine'); my $key = $one->key($ws);
my $other = Galley->new(build => 'test'); my $k2 = $other->key($other->workspace(name => 'Other'));
my $folder = $one->folder_of_owner('archives'); $other->must('backup', "$folder/o.tar");
my $proxy = Galley::PostgresProxy->new("$f/.s.PGSQL.5432"); $one->database_at($proxy->address);
$proxy->arm(like => '^> Query COMMIT', do => $do, after => '^> Query UPDATE content.store SET pepper_check');
my $r = $one->command(qw(restore --yes), "$folder/o.tar");
diag "$do: exit $r->{exit} sig $r->{signal} $r->{err}", $proxy->seen->{done} // 'not done';
$proxy->arm;
my $l = $one->command(qw(workspace list)); diag "list: $l->{exit} $l->{err} ", join ',', $l->{out} =~ /"name":"([^"]*)"/g;
for my $k ($key, $k2) { my ($p, $e) = request_env('GET', '/articles', key => $k); my $a = split_answer($one->persistent($p, $e)); diag "GET $a->{status}"; }
$l = $one->command(qw(workspace list)); diag "list: $l->{exit} $l->{err} ", join ',', $l->{out} =~ /"name":"([^"]*)"/g;
my $v = $one->command('verify'); diag "verify $v->{exit} $v->{err}";
diag `ls -la $one->{home}/db`;
}
ok 1; done_testing;
