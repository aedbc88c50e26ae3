# Proves that the container's start refuses settings, folders and users that it cannot use, in one
# sentence, before it makes anything, and that its scripts are whole. What it starts is proved in a root
# (make check-container).
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $scratch = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, $scratch;
# The same script with another folder for the volume.
sub start {
	my ($volume, $user, @env) = @_;
	Galley::spew("$scratch/start.sh", Galley::slurp('container/start.sh') =~ s{^volume=\K.*}{$volume}mr);
	return run_program(['sh', "$scratch/start.sh"], env => { PATH => '/usr/bin:/bin', @env },
		as => $> == 0 && $user ne 'root' ? [65534, 65534] : undef);
}

sub refused {
	my ($name, $says, $done) = @_;
	is_deeply [$done->{exit}, $done->{out}, $done->{err} =~ tr/\n//], [1, '', 1], "$name: one sentence" or diag explain $done;
	like $done->{err}, $says, "$name: says why";
}

for my $value ('galley.example.com', 'ftp://galley.example.com', 'https://', 'https://a b', "https://a\nprovider = x", 'https://a$(id)', "https://a'b", 'https://a"') {
	refused("$_ of " . $value =~ s/\n/\\n/gr, qr/^galley: $_ /, start('/proc', 'user', GALLEY_PUBLIC_URL => 'https://a.example', $_ => $value))
		for qw(GALLEY_PUBLIC_URL GALLEY_PAGES_URL);
}
my @needed = (GALLEY_PUBLIC_URL => 'https://galley.example.com');
refused('no address', qr/^galley: GALLEY_PUBLIC_URL is missing/, start('/proc', 'user'));
refused("trusted_proxies $_" =~ s/\n/\\n/gr, qr/^galley: GALLEY_TRUSTED_PROXIES takes/, start('/proc', 'user', @needed, GALLEY_TRUSTED_PROXIES => $_))
	for 'proxy.example', "10.0.0.1\n10.0.0.2", '10.0.0.1;x';
refused("require_https $_", qr/^galley: GALLEY_REQUIRE_HTTPS is on or off/, start('/proc', 'user', @needed, GALLEY_REQUIRE_HTTPS => $_)) for 'no', 'ON', "on\noff";
my @good = (GALLEY_PUBLIC_URL => 'https://galley.example.com/path', GALLEY_TRUSTED_PROXIES => '10.0.0.0/8 ::1', GALLEY_REQUIRE_HTTPS => 'on');
refused('no volume', qr/There is no volume at \Q$scratch\E\//, start("$scratch/none", 'user', @good));
refused('a volume that cannot be written', qr/The volume at \/proc cannot be written by the user/, start('/proc', 'user', @good));
like start('/proc', 'user', @needed, GALLEY_URL => 'x', GALLEY_PORT_80_TCP => 'tcp://x')->{err}, qr/\Agalley: No setting is called GALLEY_URL\ngalley: [^\n]*\n\z/, 'a name that nobody reads is told';
SKIP: {
	skip 'only root starts as root', 2 if $> != 0;
	refused('root', qr/never as root/, start('/proc', 'root', @good));
}
is run_program(['sh', '-n', $_])->{exit}, 0, "$_ is whole" for glob 'container/*.sh';
done_testing;
