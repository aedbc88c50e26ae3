# The key by which a reader is known again lives as long as it is that day anywhere on earth, and is
# then destroyed (docs/pages.md §8): by the next hit, and by the task runner where none comes.
use strict;
use warnings;

use lib 'tests/lib';
use POSIX qw(strftime);
use Test::More;
use Galley;
use Galley::Hits;
use Galley::JSON ();

my $json = Galley::JSON->new->utf8->canonical;
my $galley = Galley->new(build => 'test', conf => { public_url => 'https://galley.example' });
my $hits = Galley::Hits->new($galley);
my @site = (analytics_enabled => 'true', analytics_origins => 'https://www.site.example');
my %workspace = map { $_ => $galley->workspace(@site, time_zone => $_) } 'UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago';
my %site = map { $_->{uuid} => $_->{analytics_site_id} } @{ $galley->sql('SELECT uuid, analytics_site_id FROM workspace') };
my $noon = int(time / 86400) * 86400 + 12 * 3600;

# Sends a hit of a workspace in this zone, `hours` behind noon. Returns its day and its visitor.
sub hit {
	my ($zone, $hours) = @_;
	my $answer = $galley->request(POST => '/collect', program => 'collect',
		body => $json->encode({ site_id => $site{ $workspace{$zone} }, path => '/', consent => JSON::PP::true() }),
		headers => { Origin => 'https://www.site.example', 'User-Agent' => 'Firefox', 'Accept-Language' => 'en' },
		env => { GALLEY_CLOCK => '@' . ($noon + 3600 * $hours) * 1_000_000 });
	is $answer->{status}, 204, "a hit in $zone after $hours hours" or diag $answer->{raw};
	my ($line) = (grep { $_ ne '' } split /\n/, Galley::slurp($galley->home . '/run/hits/open'))[-1];
	return (split /\t/, $line)[2, -1];
}

sub keys_of_days { return join ' ', map { s{.*/}{}r } sort glob $galley->home . '/run/days/*' }
sub day { return strftime '%Y-%m-%d', gmtime $noon + 86400 * $_[0] }

my ($day, $visitor) = hit('UTC', 0);
is $day, int($noon / 86400), 'UTC has the day of UTC';
is keys_of_days(), day(0), 'which has a key';
is((stat $galley->home . '/run/days/' . day(0))[2] & 0777, 0600, 'of the owner alone');
is_deeply [hit('UTC', 11)], [$day, $visitor], 'a reader is known again that day';
my ($east) = hit('Pacific/Kiritimati', 0);
is $east, $day + 1, 'in the east it is the next one';
is keys_of_days(), join(' ', day(0), day(1)), 'which has a key, too';
my ($west) = hit('Pacific/Pago_Pago', -2);
is $west, $day - 1, 'in the west it is the last one, still';
is keys_of_days(), join(' ', day(-1), day(0), day(1)), 'which has one, too';

my ($tomorrow, $other) = hit('UTC', 13);
is $tomorrow, $day + 1, 'a day ends at midnight';
isnt $other, $visitor, 'and so does what is known of a reader';
hit('Pacific/Kiritimati', 23);
is keys_of_days(), join(' ', day(0), day(1), day(2)), 'a key is gone when its day is over in the west';
hit('Pacific/Kiritimati', 47);
is keys_of_days(), join(' ', day(1), day(2), day(3)), 'each after the other';

$hits->runner({ GALLEY_CLOCK => '@' . ($noon + 86400 * 9) * 1_000_000 });
is keys_of_days(), '', 'where no hit comes the task runner ends them';
hit('UTC', 0);
my $backup = $galley->folder_of_owner('kept') . '/all.tar';
$galley->must('backup', $backup);
my $names = qx(tar tf '$backup');
like $names, qr/galley\.db/, 'a backup has the content';
unlike $names, qr/\brun\b|hits|days|sites/, 'and neither keys nor hits';
done_testing;
