# galley credits, galley account create --credits: proves that one reference moves credits only
# once, and never more than are there (docs/design.md §6).
# suite: fast postgres
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new;
my $account = $galley->must(qw(account create Customer --credits 50))->{id};
my %want = (granted => 50, available => 50, reserved => 0, spent => 0);
is_deeply $galley->must(qw(credits show), $account), \%want,
	'account create --credits grants';
is_deeply $galley->must(qw(credits show Customer)), \%want,
	'a name serves where it is the only one';

sub says {
	my (@words) = @_;
	my $done = $galley->command(qw(credits), @words);
	return "$done->{exit} " . ($done->{json} ? "$done->{json}{done}"
		. " $done->{json}{available}" : $done->{err});
}
is says('grant', $account, 100, '--ref', 'R-1'), '0 1 150', 'a grant';
is says('grant', $account, 100, '--ref', 'R-1'), '0 0 150',
	'the same reference grants nothing';
like says('grant', $account, 7, '--ref', 'R-1'), qr/^1 galley: Nothing was done: R-1 was the reference of a grant of 100 credits on \d{4}-\d\d-\d\d,.*for these 7\./,
	'with another number it is refused, and told what it was';
is $galley->must(qw(credits show), $account)->{available}, 150, 'and grants nothing';
is says('grant', $account, 1, '--ref', 'r-1'), '0 1 151',
	'references are compared byte by byte';
is says('revoke', $account, 100, '--ref', 'R-1'), '0 1 51',
	'what was granted by mistake is revoked under the same reference';
is says('revoke', $account, 100, '--ref', 'R-1'), '0 0 51', 'once';
like says('revoke', $account, 99, '--ref', 'R-1'),
	qr/^1 .*reference of a revocation of 100 credits/, 'and not with another number';
like says('revoke', $account, 52, '--ref', 'R-2'), qr/^1 .*Only 51 credits/,
	'never more than is available';
like says('grant', $account, 0, '--ref', 'x'), qr/^1 /, 'not zero';
like says('grant', $account, $_, '--ref', 'x'), qr/^2 .*no /, "not $_"
	for '-5', '1.5', 'ten', '99999999999';
like says('grant', $account, '2000000000', '--ref', 'x'), qr/^1 .*between/,
	'not more than can be meant';
like says('grant', $account, 5), qr/^2 /, 'a reference is needed';
like says('grant', $account, 5, '--ref', ''), qr/^1 /, 'not an empty one';
like says('grant', $account, 5, '--ref', "a\nb"), qr/^1 /, 'one line';
like says('grant', 'Nobody', 5, '--ref', 'x'), qr/^1 /, 'an unknown account';

my $ledger = $galley->must(qw(credits ledger), $account);
is_deeply [map { [@{$_}{qw(number kind ref available reserved spent
	available_after)}] } @$ledger], [
	[1, 'grant', 'account create', 50, 0, 0, 50],
	[2, 'grant', 'R-1', 100, 0, 0, 150],
	[3, 'grant', 'r-1', 1, 0, 0, 151],
	[4, 'revoke', 'R-1', -100, 0, 0, 51],
], 'the ledger tells all of it';
is $ledger->[0]{job_id}, undef, 'a grant has no job';
like $ledger->[0]{at}, qr/^\d{4}-.*Z$/, 'and a time';

# eight grants at once
my @children = map {
	my $pid = fork // die;
	if (!$pid) {
		my $done = $galley->command(qw(credits grant), $account, 10,
			'--ref', 'parallel');
		require POSIX;
		POSIX::_exit($done->{json}{done} ? 1 : 0);
	}
	$pid;
} 1 .. 8;
my $granted = 0;
for my $pid (@children) {
	waitpid $pid, 0;
	$granted += $? >> 8;
}
is $granted, 1, 'eight grants of one reference at once: one is made';
is $galley->must(qw(credits show), $account)->{available}, 61, 'of ten credits';
my $log = Galley::slurp($galley->home . '/log/operator.log');
like $log, qr/credits grant --ref R-1 \S+ 100/, 'operator.log knows';
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';
done_testing;
