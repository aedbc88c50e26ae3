# Websites of a test, over https, that Galley reaches by their names (tests/lib/sites.py says
# what each does by the first part of its name: good-1.example answers, hangs-1.example does
# not).
#
#	my $sites = Galley::Sites->start(names => ['good.example'],
#		misnamed => ['misnamed.example'],    # the certificate does not have their names
#		resolve => { 'private.example' => '10.0.0.1' });
#	... env => { $sites->env } ...       # of a program of the test build
#	my @requests = $sites->requests;     # {line, headers, body, at} of each
#	$sites->forget;
#	$sites->put('3s-a.png', $bytes);     # https://files.example/ANY/3s-a.png, after 3 seconds
#
# The certificate is one that only these programs trust; "stranger" shows one that they do not. The
# server ends with the object. `names` and `misnamed` are 60 at most.
package Galley::Sites;

use strict;
use warnings;

use File::Temp ();
use Galley::JSON ();

sub start {
	my ($class, %option) = @_;
	my $folder = File::Temp->newdir;
	chmod 0755, "$folder";
	my $names = join ',', map { "DNS:$_" } @{ $option{names} // [] }, 'none.example';
	my $make = "openssl req -x509 -days 9 -addext 'subjectAltName=$names' 2>/dev/null";
	for my $made ("-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout $folder/key"
			. " -subj /CN=example -out $folder/certificate",
			"-key $folder/key -subj /CN=stranger -out $folder/stranger") {
		system("$make $made") == 0 or die 'openssl makes no certificate';
	}
	chmod 0644, "$folder/certificate";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<', '/dev/null';
		exec 'python3', 'tests/lib/sites.py', "$folder" or die "python3: $!";
	}
	my $self = bless { pid => $pid, owner => $$, folder => $folder }, $class;
	for (1 .. 400) {
		last if -e "$folder/port";
		select undef, undef, undef, 0.05;
	}
	open my $in, '<', "$folder/port" or die 'the websites do not begin';
	my $port = <$in>;
	open my $out, '>', "$folder/internet" or die "internet: $!";
	print $out "$folder/certificate\n";
	print $out "$_:443:127.0.0.1:$port\n" for @{ $option{names} // [] }, @{ $option{misnamed} // [] };
	print $out "$_:443:$option{resolve}{$_}\n" for sort keys %{ $option{resolve} // {} };
	close $out;
	return $self;
}

# Makes the page of this name, of all hosts whose names begin with "pages".
sub page {
	my ($self, $name, $bytes) = @_;
	mkdir "$self->{folder}/pages";
	open my $out, '>:raw', "$self->{folder}/pages/$name" or die "$name: $!";
	print $out $bytes;
	close $out or die "$name: $!";
}

sub env { return (GALLEY_NET => "$_[0]{folder}/internet") }

sub requests {
	my ($self) = @_;
	open my $in, '<', "$self->{folder}/requests" or return;
	return map { Galley::JSON->new->utf8->decode($_) } <$in>;
}

sub put {
	my ($self, $name, $bytes) = @_;
	mkdir "$self->{folder}/files";
	open my $out, '>:raw', "$self->{folder}/files/$name" or die "$name: $!";
	print $out $bytes;
	close $out or die "$name: $!";
}

sub forget { unlink "$_[0]{folder}/requests" }

sub DESTROY {
	my ($self) = @_;
	return if $$ != $self->{owner};
	local ($?, $!);
	kill KILL => $self->{pid};
	waitpid $self->{pid}, 0;
}

1;
