# Proves that every number of a section in INSTALL.md, and in the programs and files that name
# INSTALL.md, leads to a section that holds what the reader is sent there for.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my (%section, $at);
for my $line (split /^/, Galley::slurp('INSTALL.md')) {
	$at = $1 if $line =~ /^### (\d\.\d+) / || $line =~ /^## (\d)\. /;
	$section{$at} .= $line if defined $at;
}
# A chapter holds all its sections.
for my $number (sort grep { /\./ } keys %section) {
	$section{ substr $number, 0, 1 } .= $section{$number};
}

# [The pattern of a reference, with its number as \d…, and a pattern that the section must hold].
my $number = qr/(\d(?:\.\d+)?)/;
my @references = (
	[qr/in the host's panel do it \($number\)/, qr/Without a shell/],
	[qr/makes packages \($number\)/, qr/galley-instance create/],
	[qr/the programs of $number\)/, qr/PostgreSQL/],
	[qr/printed; $number, 3/, qr/person invite/],
	[qr/see\n  $number for mail_command/, qr/mail_command/],
	[qr/answer in a file \($number\)/, qr/log\/said\.txt/],
	[qr/Go on with\s+$number\.\n\nThe folder/, qr/becomes www-data first/],
	[qr/--language en` in $number makes/, qr{bin/galley init --public-url}],
	[qr/instance: $number or/, qr/binary release/],
	[qr/ or $number with another folder/, qr/make -j4 install PREFIX/],
	[qr/folder, $number with another file/, qr/<VirtualHost \*:443>/],
	[qr/another line in $number\. /, qr/job-runner/],
	[qr/both virtual hosts of $number,/, qr/<VirtualHost \*:80>/],
	[qr/upgrade is that of section $number:/, qr/^## 5\. Upgrade/],
	[qr/Go on with $number and/, qr/account create/],
	[qr/ and $number\.\n\n### 2\.5/, qr/With the key/],
	[qr/the virtual host of $number they/, qr/DocumentRoot/],
	[qr/the \.htaccess of $number whatever/, qr/programs, images, \.htaccess/],
	[qr/cron is that of $number, upload the new/, qr/galley-release\/setup/],
	[qr/cron is that of $number, upload the programs/, qr/bin\/job-runner/],
	[qr/\$\{GALLEY_LOGGED\} \($number\)/, qr/CustomLog .*GALLEY_LOGGED/],
	[qr/the code of $number is typed/, qr/run\/console\/code\.txt/],
	[qr/type a\s+code\s+as\s+in $number,/, qr/run\/console\/code\.txt/],
	[qr/copy it again \($number\)/, qr{cp \S+/apache-conf/htaccess }],
	[qr/reached the program \| see $number/, qr/CGIPassAuth On/],
	[qr/suEXEC or AllowOverride, see $number;/, qr/AllowOverride AuthConfig/],
	[qr/virtual host answers \($number\)/, qr/ServerName/],
	[qr/\(or nginx: see $number\)/, qr{nginx/galley\.conf}],
	[qr/galley-serve \($number\) runs the programs/, qr/galley\.service/],
	[qr/to write, instead of $number\./, qr/<VirtualHost \*:443>/],
	[qr/the \.htaccess of $number: look/, qr/programs, images, \.htaccess/],
	[qr/that secrets answer\s404 \($number\)/, qr/must answer 404/],
);
my $install = Galley::slurp('INSTALL.md');
my %known;
for my $reference (@references) {
	my ($pattern, $holds) = @$reference;
	my $name = "$pattern" =~ s/^\(\?\^:(.*)\)$/$1/r;
	if ($install !~ $pattern) {
		fail "INSTALL.md says: $name";
		next;
	}
	$known{ $-[1] } = 1;
	like $section{$1} // '', $holds, "section $1 is the right one for: $name";
}

# The text holds no other number of a section: a new one needs a line above. Numbers of kernels
# look the same.
while ($install =~ /(?<![\d.\/=:v-])(\d\.\d+)(?![\d.]|\d*\))|\(($number)\)|\bsee ($number)\b/g) {
	my $start = $-[1] // $-[2] // $-[4];
	my $told = $1 // $2 // $4;
	next if $known{$start} || substr($install, 0, $start) =~ /(?:^|\n)#+ \z/;
	next if substr($install, 0, $start) =~ /(?:Linux|before) \z/;
	my $line = 1 + (() = substr($install, 0, $start) =~ /\n/g);
	fail "INSTALL.md, line $line: this test has no line for the number $told";
}

# The files that name INSTALL.md.
my @elsewhere = (
	['setup', qr/a virtual host, which needs three lines \(INSTALL\.md, $number\)/, qr/DocumentRoot/],
	['apache-conf/galley-proxy-fcgi.conf.in', qr/\(INSTALL\.md, $number\)/, qr/galley-proxy-fcgi\.conf/],
	['apache-conf/crontab', qr/\(INSTALL\.md,\n# part $number\)/, qr/backup --keep/],
	['NEWS.md', qr/INSTALL\.md, $number\./, qr/^## 5\. Upgrade/],
);
for my $reference (@elsewhere) {
	my ($file, $pattern, $holds) = @$reference;
	my $text = Galley::slurp($file);
	my ($told) = $text =~ $pattern;
	like $section{ $told // '' } // '', $holds, "$file sends the reader to the right place";
	my $all = () = $text =~ /\bINSTALL\.md, *(?:\n# )?(?:part )?\d/g;
	is $all, 1, "$file: it has no other number";
}

done_testing;
