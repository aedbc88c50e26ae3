# Proves that the attack tools can find holes: an endpoint and files here have one hole of each
# kind, and the calls of outside-attackers-find-nothing.t report every one of them.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Attack;

Attack::need(qw(ffuf sqlmap));

# A program in the place of `articles`: each of its parameters has a hole of its own.
my $holes = <<'END';
#!/usr/bin/perl
my ($name, $value) = $ENV{QUERY_STRING} =~ /^(\w+)=(.*)$/ or exit 1;
$value =~ s/%(..)/chr hex $1/ge;
my ($type, $more, $body) = ('application/json', '', '{}');
if ($name eq 'sql') {
	open my $rows, '-|', 'sqlite3', ':memory:',
		"SELECT 'a row of the list' FROM sqlite_schema RIGHT JOIN (SELECT 1)"
			. " WHERE 'x' = '$value'" or die;
	$body = '{"data":"' . join('', map { s/\n//r } <$rows>) . '"}';
}
$body = '{"error":"near \"' . ($value =~ tr/A-Za-z//cdr) . '\": syntax error"}'
	if $name eq 'tells' && $value =~ /'/;
$body = '{"title":"canary-of-another-tenant"}' if $name eq 'tenant' && $value =~ /OR/;
($type, $body) = ('text/html', "<p>$value</p>") if $name eq 'page';
$body = "{\"error\":\"$value is none\"}" if $name eq 'quote';
$more .= "Link: <$value>\r\n" if $name eq 'field';
if ($name eq 'file' && $value =~ m{^[./]+/etc/passwd$}) {
	open my $file, '<', '/etc/passwd' or die;
	$body = '["' . <$file> =~ s/\n//r . '"]';
}
exit 1 if $name eq 'dies' && $value eq '%';
print "Content-Type: $type\r\nContent-Length: ", length $body, "\r\n$more\r\n$body";
END

my $attack = Attack->new(prepare => sub {
	my ($galley) = @_;
	my $program = $galley->programs . '/cgi-bin/articles';
	unlink $program;
	Galley::spew($program, $holes);
	chmod 0755, $program;
	Galley::spew($galley->home . '/htdocs/dump.sql', 'INSERT');
	mkdir $galley->home . '/htdocs/backup';
}, extra => <<'END');
LoadModule autoindex_module /usr/lib/apache2/modules/mod_autoindex.so
<LocationMatch "^/backup/">
	Options +Indexes
</LocationMatch>
<If "%{QUERY_STRING} =~ /^guess/">
	Header always unset X-Content-Type-Options
</If>
END
my ($url, $api) = @$attack{qw(url api)};

my @found = $attack->ffuf([map { ($_, "$_/") } Attack::list('words')], "$url/FUZZ",
	qr/^40[345]$/);
for my $name ('dump.sql', 'backup/') {
	ok((grep { /^\Q$name\E: 200$/ } @found), "ffuf finds $name");
}

# The hole, and the finding that names it.
my @cases = (
	[tells => qr/tells of syntax error/],
	[tenant => qr/tells of canary/],
	[page => qr/is not JSON/],
	[quote => qr/is not JSON/],
	[field => qr/has a header field of the request's/],
	[guess => qr/lets a browser guess/],
	[file => qr/tells of root:x:0/],
	[dies => qr/^%25: 500$/],
);
my @values = map { Attack::escaped($_) } (Attack::list('values'))[0 .. 19];
for my $case (@cases) {
	my ($hole, $what) = @$case;
	@found = $attack->ffuf(\@values, "$api/articles?$hole=FUZZ", qr/^200$/);
	ok((grep { /$what/ } @found), "ffuf's answers show: $hole")
		or diag explain \@found;
}
is_deeply [$attack->ffuf(\@values, "$api/articles?none=FUZZ", qr/^200$/)], [],
	'and show nothing where there is no hole';

my @depth = qw(--level 1 --risk 1 --technique BEU);
like +($attack->sqlmap(["$api/articles?sql=x*"], @depth))[0], qr/^#1\* \(URI\)/,
	'sqlmap gets in';
@found = $attack->sqlmap(["$api/articles?tells=x*"], @depth);
ok((grep { /tells of syntax error/ } @found), 'and its finding is reported')
	or diag explain \@found;

# A target that was left out is not a success.
like +($attack->ffuf(['x'], 'http://127.0.0.1:1/FUZZ', qr/./))[0],
	qr/^x: was not answered/, 'a run of ffuf that reaches nothing is reported';
like +($attack->sqlmap(['http://127.0.0.1:1/x*'], @depth))[0],
	qr/^tried 0 of 1 targets/, 'so is a run of sqlmap';
{
	local $ENV{PATH} = '/nowhere';
	ok !eval { Attack::need('ffuf'); 1 }, 'a machine without the program ends the script';
	like $@, qr/^There is no ffuf on this machine: the file `packages` names it/,
		'is told';
}

done_testing;
