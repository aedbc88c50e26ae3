# Serves an instance as a shared host with suEXEC does: Apache runs as www-data, and the
# programs run as their owner. It needs root, and the Debian package
# apache2-suexec-pristine, which serves only folders below /var/www.
#
#	my $why = Galley::SuExec::missing();       # or undef
#	my $galley = Galley->new(shared => 1, under => Galley::SuExec::root(),
#		owner => 'nobody');
#	my $server = Galley::SuExec::serve($galley, extra => '...');
package Galley::SuExec;

use strict;
use warnings;

use File::Temp ();

use Galley::Server;

my $program = '/usr/lib/apache2/suexec';
my @folders = ('/var/www', '/var/log/apache2');
my @made;

END { rmdir $_ for reverse @made }

sub missing {
	return 'suEXEC needs root' if $> != 0;
	return "$program is not installed" if !-u $program;
	return undef;
}

# Returns the folder from which suEXEC serves; makes this folder and the one of the log if they
# are missing.
sub root {
	for my $folder (grep { !-d } @folders) {
		mkdir $folder, 0755 or die "$folder: $!";
		push @made, $folder;
	}
	return $folders[0];
}

sub log_file { return "$folders[1]/suexec.log" }

# Returns a Galley::Server. Apache's own files are in a folder that www-data owns.
sub serve {
	my ($galley, %option) = @_;
	my $own = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
	my @ids = (getpwnam 'www-data')[2, 3];
	for my $folder ("$own", "$own/db", "$own/run") {
		mkdir $folder;
		chown @ids, $folder or die "$folder: $!";
	}
	my ($user, $group) = map { scalar $_->[0]->($_->[1]) }
		[sub { getpwuid $_[0] }, ($galley->owner_ids)[0]],
		[sub { getgrgid $_[0] }, ($galley->owner_ids)[1]];
	my $server = Galley::Server->new("$own", %option, shared => $galley->{shared},
		prefix => '/galley', suexec => 1, extra => join "\n",
		'LoadModule suexec_module /usr/lib/apache2/modules/mod_suexec.so',
		"SuexecUserGroup $user $group", $option{extra} // '', '');
	$server->{own} = $own;
	return $server;
}

1;
