#!/usr/bin/perl
# common-passwords.pl FREQUENCY_LISTS.JS >common-passwords.txt
#
# The table of the most common passwords that lib/people/password.c looks into. The argument is
# lib/frequency_lists.js of the npm package zxcvbn 4.4.2 (`npm pack zxcvbn@4.4.2`), whose list
# "passwords" is in the order of frequency. Of its first 10,000 passwords of at least eight
# characters, in lower case, this prints the first five bytes of the SHA-256, sorted, in hex,
# seven on a line. The passwords themselves are not copied.
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);

local $/;
my ($list) = <> =~ /^ *passwords: "([^"]*)"\.split/m or die "no list of passwords\n";
my (%seen, @hashes);
for my $password (map { lc } split /,/, $list) {
	next if length $password < 8 || $seen{$password}++;
	push @hashes, substr sha256_hex($password), 0, 10;
	last if @hashes == 10_000;
}
@hashes == 10_000 or die "the list is too short\n";
@hashes = sort @hashes;
print "@{[splice @hashes, 0, 7]}\n" while @hashes;
