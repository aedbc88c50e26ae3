# Files of `galley workspace export` (lib/backup/workspace-file.h): what is in one, and a file of that,
# changed or not, with a list that fits.
#
#	my %files = workspace_files($path);
#	$files{1} =~ s/https:/ftp:/;
#	write_workspace($path, %files);
package Galley::WorkspaceFile;

use strict;
use warnings;

use Exporter 'import';

use Galley;
use Galley::Process qw(run_program);

our @EXPORT_OK = qw(picture_name workspace_files write_workspace write_tar in_order with_other_ids);

# Returns NAME => BYTES of a tar.
sub workspace_files {
	my ($path) = @_;
	my ($tar, $at, %files) = (Galley::slurp($path), 0);
	while ((my $name = unpack 'Z100', substr $tar, $at, 100) ne '') {
		my $bytes = oct unpack 'Z12', substr $tar, $at + 124, 12;
		$files{$name} = substr $tar, $at + 512, $bytes;
		$at += 512 + 512 * int(($bytes + 511) / 512);
	}
	return %files;
}

# The order in which Galley has them: list, settings, pictures, articles with their editions.
sub in_order {
	my %place = map { $_ => /^[01]$/ ? [0, $_, 0] : /^[0-9a-f]{64}\./ ? [1, 0, 0]
		: /^(\d+)(?:\.(\d+))?$/ ? [2, $1, $2 // 0] : [3, 0, 0] } @_;
	return sort { $place{$a}[0] <=> $place{$b}[0] || $place{$a}[1] <=> $place{$b}[1]
		|| $place{$a}[2] <=> $place{$b}[2] || $a cmp $b } @_;
}

# Writes a tar of [NAME, BYTES] in this order.
sub write_tar {
	my ($path, @files) = @_;
	my $tar = '';
	for my $file (@files) {
		my ($name, $bytes) = @$file;
		my $head = pack 'a100 a8 a8 a8 a12 a12 a8 a1 a100 a6 a2', $name, '0000600', '0000000', '0000000',
			sprintf('%011o', length $bytes), '00000000000', ' ' x 8, '0', '', "ustar\0", '00';
		$head .= "\0" x (512 - length $head);
		substr($head, 148, 8) = sprintf "%06o\0 ", unpack '%32C*', $head;
		$tar .= $head . $bytes . "\0" x (-length($bytes) % 512);
	}
	Galley::spew($path, $tar . "\0" x 1024);
	chmod 0644, $path;
}

# Returns their BLAKE2b-256, which Perl has not.
sub digests {
	my (@bytes) = @_;
	my $folder = File::Temp->newdir;
	my @paths = map { sprintf '%s/%06d', $folder, $_ } 0 .. $#bytes;
	Galley::spew($paths[$_], $bytes[$_]) for 0 .. $#bytes;
	my $done = run_program(['b2sum', '-l', 256, @paths]);
	return $done->{out} =~ /^(\w{64}) /mg;
}

# Returns the name that a picture of these bytes has, if it is of this kind.
sub picture_name { return (digests($_[0]))[0] . ".$_[1]" }

# Writes a file of these, without a list or with another one: its list is made.
sub write_workspace {
	my ($path, %files) = @_;
	my @names = grep { $_ ne '0' } in_order(keys %files);
	my @digests = digests(@files{@names});
	my ($head) = ($files{0} // "Galley workspace 1\nA sentence.\n") =~ /\A(.*\n.*\n)/;
	my $list = join '', $head, map { sprintf "%s  %s %d\n", $digests[$_], $names[$_], length $files{$names[$_]} }
		0 .. $#names;
	write_tar($path, [0, $list], map { [$_, $files{$_}] } @names);
}

# Gives the workspace, its articles and its site other ids.
sub with_other_ids {
	my ($mark, %files) = @_;
	for (grep { !/^[0-9a-f]{64}\./ } keys %files) {
		$files{$_} =~ s/("id":")\w{8}/sprintf '%s%08x', $1, $mark/e;
		$files{$_} =~ s/("analytics_site_id":")\w{8}/sprintf '%s%08x', $1, $mark/e;
	}
	return %files;
}

1;
