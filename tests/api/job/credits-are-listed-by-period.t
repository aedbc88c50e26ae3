#!/usr/bin/perl
# Proves that the ledger of a period is right for people, programs and spreadsheets, and that a
# spreadsheet runs no formula that a customer wrote.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use POSIX qw(strftime);
use Test::More;

my $galley = Galley->new(build => 'test');
my $account = $galley->must(qw(account create Customer))->{id};
my $day = 86_400;

# Movements at noon of three days; the first is the day before yesterday.
my $now = time;
my $noon = $day / 2 - $now % $day;

sub move {
	my ($days, @words) = @_;
	$galley->must({ env => { GALLEY_CLOCK => $noon + $days * $day } },
		'credits', @words);
}
sub grant {
	my ($days, $credits, $ref) = @_;
	move($days, 'grant', $account, $credits, '--ref', $ref);
}
grant(-2, 100, 'R-1');
grant(-1, 50, '=HYPERLINK("https://x.example")');
grant(0, 5, '-2+3');
sub date { return strftime '%Y-%m-%d', gmtime $now + $_[0] * $day }

sub refs {
	return join ' ', map { $_->{ref} } @{ $galley->must(
		qw(credits ledger Customer), @_) };
}
is refs(), 'R-1 =HYPERLINK("https://x.example") -2+3', 'all of them';
is refs('--from', date(-1)), '=HYPERLINK("https://x.example") -2+3',
	'from a day on';
is refs('--to', date(-1)), 'R-1 =HYPERLINK("https://x.example")',
	'to the end of a day';
is refs('--from', date(-2), '--to', date(-2)), 'R-1', 'one day';
is refs('--to', date(-2) . 'T00:00:00Z'), '', 'a time is exact';
is refs('--from', date(3)), '', 'a period without any';

my $tool = $galley->home . '/bin/galley';
my $csv = run_program([$tool, qw(credits ledger Customer --csv)])->{out};
my @rows = split /\r\n/, $csv;
is scalar @rows, 4, 'a head and three rows';
is $rows[0], 'number,at,kind,available,reserved,spent,available_after,'
	. 'reserved_after,spent_after,job_id,ref', 'the head';
like $rows[1], qr/^"1","[\d-]+T[\d:]+Z","grant","100","0","0","100","0","0","",
	"R-1"$/x, 'a row';
like $rows[2], qr/,"'=HYPERLINK\(""https:\/\/x\.example""\)"$/,
	'a formula is text';
like $rows[3], qr/,"'-2\+3"$/, 'so is a sum';
move(0, qw(revoke Customer 5 --ref R-2));
like run_program([$tool, qw(credits ledger Customer --csv --from), date(0)])
	->{out}, qr/^"4",[^,]+,"revoke","-5","0","0","150",/m,
	'a negative number is a number';
like run_program([$tool, qw(credits ledger Customer --from), date(3)])->{out},
	qr/^No credits were moved in this time\.$/, 'an empty period says so';

for my $case (
	[[qw(--csv)], 2, qr/--csv or --json, not both/],
	[[qw(--from yesterday)], 1, qr/--from yesterday is not a time/],
	[['--from', date(1), '--to', date(0)], 1, qr/--to is before --from/],
) {
	my ($words, $exit, $sentence) = @$case;
	my $done = $galley->command(qw(credits ledger Customer), @$words);
	is $done->{exit}, $exit, "@$words: exit $exit";
	like $done->{err}, $sentence, 'the sentence';
}

done_testing;
