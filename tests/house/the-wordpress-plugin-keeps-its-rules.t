# Proves of clients/wordpress/galley-sync what can be seen without WordPress: its client is the copy of
# clients/php/Galley.php, each file is closed to direct requests and is PHP, nothing of it is
# forbidden in WordPress's directory, PHP_CodeSniffer's rules of clients/wordpress/phpcs.xml are kept, and
# what it decides alone is right (tests/clients/wordpress.php).
# `make check-wordpress` tries the rest.
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'there is no php on this machine' if !-x '/usr/bin/php';

my $plugin = 'clients/wordpress/galley-sync';
my $made = run_program(['php', 'tests/clients/wordpress-client.php']);
is Galley::slurp("$plugin/includes/client.php"), $made->{out}, 'the client is up to date'
	or diag "php tests/clients/wordpress-client.php >$plugin/includes/client.php";

my @files = ("$plugin/galley-sync.php", "$plugin/uninstall.php", glob "$plugin/includes/*.php");
cmp_ok scalar @files, '>', 8, 'its files';
my $checked = run_program(['sh', '-c', "printf '%s\\n' @files | xargs -n1 php -l"], seconds => 300);
is $checked->{exit}, 0, 'they are PHP' or diag $checked->{out}, $checked->{err};
my $texts = '';
for my $file (@files) {
	my $text = Galley::slurp($file);
	like $text, qr/^defined\('(?:ABSPATH|WP_UNINSTALL_PLUGIN)'\) \|\| exit;$/m, "$file: is closed to direct requests";
	my @calls = $text =~ s{/\*.*?\*/}{}gsr
		=~ /\b((?:eval|exec|system|passthru|shell_exec|unserialize|base64_decode|file_get_contents|curl_\w+)\s*\(|\bwp_ajax_\w+)/g;
	is "@calls", '', "$file: calls nothing that is forbidden";
	$texts .= $text;
}
my @hosts = grep { !m{^(?:api|cms)\.example\.(?:com|net)$|^opensource\.org$|^schema\.org$} }
	$texts =~ m{https?://([a-z0-9.-]+\.[a-z]{2,})}g;
is "@hosts", '', 'no other host is named';
my @strings = grep { !/'galley-sync'\s*\)/ } $texts =~ /((?:esc_html__|esc_html_e|\b__)\((?:[^()']|'(?:[^'\\]|\\.)*')*\))/g;
is "@strings", '', 'each sentence has the text domain';

SKIP: {
	skip 'there is no phpcs (the package php-codesniffer)', 2 if !-x '/usr/bin/phpcs';
	my @phpcs = ('phpcs', '-q', '--report=emacs', '--standard=clients/wordpress/phpcs.xml');
	my $sniffed = run_program([@phpcs, $plugin], seconds => 300);
	is "$sniffed->{exit} $sniffed->{out}", '0 ', "PHP_CodeSniffer's rules are kept" or diag $sniffed->{err};
	my $broken = run_program([@phpcs, '-'], seconds => 300, input => "<?php\n\ndeclare(strict_types=1);\n\neval(\$_POST['x']);\n");
	like $broken->{out}, qr/\.Eval\b|\beval\(\)/i, 'and it would see a fault' or diag $broken->{out}, $broken->{err};
}

my $units = run_program(['php', 'tests/clients/wordpress.php']);
my @failed = $units->{out} =~ /^(not ok .*)$/mg;
is "$units->{exit} @failed", '0 ', 'what it decides alone is right' or diag $units->{err};
like $units->{out}, qr/^1\.\.(?:[5-9]\d|\d{3})$/m, 'and all of it was tried';
done_testing;
