# A private nginx over one instance, on a free port of 127.0.0.1, whose programs run as galley-serve
# starts them (Galley::Pools). Galley::Server->new() returns one where the environment says
# GALLEY_WEB=nginx (make check-nginx); what it says of its methods and options is true here, too, but
# `extra` are lines for Apache.
package Galley::Nginx;

use strict;
use warnings;

use parent -norequire, 'Galley::Server';

use Galley::Pools;
use Galley::Process qw(run_program);
use Time::HiRes ();

my $nginx = '/usr/sbin/nginx';

# What this server answers itself, and where that is not what Apache answers: the names of cases of
# tests/http, with a status and a code, or nothing where it only closes the connection.
my %differs = (
	'two keys' => [400, 'invalid_request'],
	'an encoded NUL' => [400, 'invalid_request'],
	'too many header fields' => [200],
	'an unknown method for a file' => [405, 'method_not_allowed'],
	'an unknown transfer coding' => [501, 'method_not_allowed'],
	'a condition on a file' => [400, 'invalid_request'],
	'a version that is none' => [400, 'invalid_request'],
	'an expectation' => [200],
	'half a request' => [],
	'half a body' => [],
	'a program that ends without a word' => [503, 'service_unavailable'],
	'a program that cannot be run' => [503, 'service_unavailable'],
);

sub start {
	my ($class, $instance, %option) = @_;
	my $self = $class->made($instance, %option);
	my $own = "$instance/run/nginx";
	my @owner = (stat "$instance/db")[4, 5];
	mkdir $own;
	$self->{pools} = Galley::Pools->new(%option, instance => $instance) if !$option{sockets};
	my $sockets = $option{sockets} // $self->{pools}->folder;
	# Directives of a server win over those that are added, so these are changed.
	for my $name (qw(galley-http.conf galley.conf)) {
		my $text = Galley::slurp("$instance/nginx/$name");
		$text =~ s/_timeout \d+s;/_timeout 1s;/g if $option{impatient};
		Galley::spew("$own/$name", $text);
	}
	my $packed = $option{compressed} ? 'gzip on; gzip_types *; gzip_min_length 0;' : '';
	for my $try (1 .. 5) {
		$self->{port} = Galley::Server::free_port();
		Galley::spew("$own/nginx.conf", <<~END);
			pid $own/nginx.pid;
			worker_processes 1;
			events { }
			http {
				access_log off;
				@{[map { "${_}_temp_path $own/$_;\n" } qw(client_body fastcgi proxy scgi uwsgi)]}
				log_format access '\$remote_addr [\$time_local] "\$request" \$status';
				server_tokens off;
				$packed
				include $own/galley-http.conf;
				@{[map { server($self, $own, $sockets, $_) } '127.0.0.1', @{ $option{names} // [] }]}
			}
			END
		if ($> == 0) {
			chown @owner, $own, glob "$own/*";
		}
		my $done = run_program([$nginx, '-p', $own, '-e', "$own/error.log", '-c', "$own/nginx.conf"],
			as => $> == 0 ? \@owner : undef);
		return $self->runs if $done->{exit} == 0;
		die $done->{err} if $done->{err} !~ /in use/;
	}
	die 'no free port was found';
}

sub server {
	my ($self, $own, $sockets, $name) = @_;
	return <<~END;
		server {
			listen 127.0.0.1:$self->{port};
			server_name $name;
			set \$galley $self->{instance};
			set \$galley_sockets $sockets;
			include $own/galley.conf;
			access_log $own/access.log access if=\$galley_logged;
		}
		END
}

# Ends the server after its requests, and returns when it has ended.
sub end {
	my ($self) = @_;
	my $file = "$self->{instance}/run/nginx/nginx.pid";
	my ($pid) = (-e $file ? Galley::slurp($file) : '') =~ /^(\d+)/ or return;
	kill TERM => $pid;
	for (1 .. 300) {
		my $stat = eval { Galley::slurp("/proc/$pid/stat") } // '';
		return if $stat !~ /\) [^Z] /; # what was its parent's may be long in collecting it
		Time::HiRes::sleep(0.05);
	}
	warn "nginx $pid does not end\n";
}

sub expects {
	my ($self, $name, @like_apache) = @_;
	return @{ $differs{$name} // \@like_apache };
}

sub log_file { return "$_[0]{instance}/run/nginx/$_[1].log" }

sub missing { return -x $nginx ? undef : 'nginx is not installed (packages: purpose nginx)' }

1;
