#!/usr/bin/perl
# docs/make.pl OPENAPI FOLDER makes the documentation page from page.html,
# style.css, page.js, the samples and htdocs/openapi.json, as FOLDER/index.html and
# FOLDER/docs/index.html; the two differ in their links only. The clients that it
# offers are copied to FOLDER/clients.
#
# page.html holds @NAME@ where a part is inserted: style, script, policy (what the page may
# load and run: itself), nonce (the script's nonce in it), description, root (the path to the
# instance's root), contents (links to the operations), operations, objects, errors, code:FILE
# of samples/, and client:NAME, the link to a client.
#
# Where the text names an operation, as <code>GET /sync</code>, its first mention in a
# section becomes a link, and the operation links back.
use strict;
use warnings;
use utf8;

use Digest::SHA qw(sha256_base64);
use Encode qw(encode);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use JSON::PP ();
use MIME::Base64 qw(encode_base64);

use lib dirname(__FILE__);
use Highlight ();

my ($openapi, $folder) = @ARGV;
die "usage: docs/make.pl OPENAPI FOLDER\n" unless defined $folder;
my $here = dirname(__FILE__);
my $plain = JSON::PP->new->allow_nonref;
my %names; # of each object by its address: its members in the file's order
my $api = read_json(slurp($openapi));

# The method of a client for each operation; PHP and JavaScript spell it alike.
my %call_of = (getConnection => 'connection()', listArticles => 'articles()',
	getArticle => 'article(id)', sync => 'sync(store)', getPricing => 'pricing()',
	generate => 'generate(topic, key)', getJob => 'job(id)');

# The clients: the path of each, and the name of its file in a project. They are served under
# names that no web server takes for a program of its own.
my %client = (
	php => ['clients/php/Galley.php', 'Galley.php'],
	python => ['clients/python/galley.py', 'galley.py'],
	javascript => ['clients/javascript/galley.mjs', 'galley.mjs'],
	types => ['clients/javascript/galley.d.mts', 'galley.d.mts'],
);

sub slurp {
	my ($path) = @_;
	open my $file, '<:encoding(UTF-8)', $path or die "$path: $!\n";
	local $/;
	return scalar <$file>;
}

sub spew {
	my ($path, $content) = @_;
	make_path(dirname($path));
	open my $file, '>:encoding(UTF-8)', "$path.new" or die "$path: $!\n";
	print $file $content;
	close $file or die "$path: $!\n";
	rename "$path.new", $path or die "$path: $!\n";
}

# Returns the value of a JSON text, and keeps the order of members in %names.
sub read_json {
	my ($json) = @_;
	my $value = read_value(\$json);
	die "$openapi: text after its end\n" unless $json =~ /\G\s*\z/g;
	return $value;
}

sub read_value {
	my ($json) = @_;
	return read_object($json) if $$json =~ /\G\s*\{\s*/gc;
	return read_array($json) if $$json =~ /\G\s*\[\s*/gc;
	$$json =~ /\G\s*("(?:[^"\\]|\\.)*"|[-+.\w]+)\s*/gc
		or die "$openapi: no value at " . (pos($$json) // 0) . "\n";
	return $plain->decode($1);
}

sub read_object {
	my ($json) = @_;
	my (%object, @order);
	until ($$json =~ /\G\s*\}\s*/gc) {
		my $name = read_value($json);
		$$json =~ /\G:/gc or die "$openapi: no colon after $name\n";
		$object{$name} = read_value($json);
		push @order, $name;
		$$json =~ /\G\s*,/gc;
	}
	my $object = \%object;
	$names{$object} = \@order;
	return $object;
}

sub read_array {
	my ($json) = @_;
	my @array;
	until ($$json =~ /\G\s*\]\s*/gc) {
		push @array, read_value($json);
		$$json =~ /\G\s*,/gc;
	}
	return \@array;
}

# Returns a value as indented JSON, for examples.
sub write_json {
	my ($value, $indent) = @_;
	my $inner = "$indent  ";
	my ($open, $close, @parts);
	if (ref $value eq 'HASH') {
		($open, $close) = ('{', '}');
		@parts = map { $plain->encode($_) . ': '
			. write_json($value->{$_}, $inner) } @{ $names{$value} };
	} elsif (ref $value eq 'ARRAY') {
		($open, $close) = ('[', ']');
		@parts = map { write_json($_, $inner) } @$value;
	} else {
		return $plain->encode($value);
	}
	return $open . $close unless @parts;
	return "$open\n$inner" . join(",\n$inner", @parts) . "\n$indent$close";
}

sub escape {
	my ($text) = @_;
	my %entity = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;');
	return $text =~ s/([&<>"])/$entity{$1}/gr;
}

# Returns a description as HTML: code spans, **strong**; an empty line begins a paragraph.
sub prose {
	my ($source) = @_;
	my $html = escape($source // '');
	my @code;
	$html =~ s{`([^`]+)`}{push @code, $1; "\0$#code\0"}ge;
	$html =~ s{\*\*([^*]+)\*\*}{<strong>$1</strong>}g;
	$html =~ s{\n\n}{</p>\n<p>}g;
	$html =~ s{\0(\d+)\0}{<code>$code[$1]</code>}g;
	return $html;
}

sub code { return '<code>' . escape($_[0]) . '</code>' }

sub resolve {
	my ($node) = @_;
	return $node unless ref $node eq 'HASH' && exists $node->{'$ref'};
	my $at = $api;
	$at = $at->{$_} for split m{/}, $node->{'$ref'} =~ s{^#/}{}r;
	return $at;
}

# ---- types

sub schema_link {
	my ($ref) = @_;
	my ($name) = $ref =~ m{([^/]+)$};
	return qq(<a href="#object-$name">$name</a>);
}

# Returns the type of a value in words.
sub type_of {
	my ($schema) = @_;
	return schema_link($schema->{'$ref'}) if exists $schema->{'$ref'};
	return join ' or ', map { type_of($_) } @{ $schema->{oneOf} }
		if $schema->{oneOf};
	return code($plain->encode($schema->{const}))
		if exists $schema->{const};
	return join ', ', map { defined ? code($_) : 'null' } @{ $schema->{enum} }
		if $schema->{enum};
	return 'array of ' . type_of($schema->{items}) if $schema->{items};
	my @types = ref $schema->{type} ? @{ $schema->{type} } : $schema->{type};
	my %formatted = (uuid => 'UUID', uri => 'address',
		'date-time' => 'date-time');
	return join ' or ', map {
		$_ eq 'string' ? $formatted{ $schema->{format} // '' } // $_ : $_
	} @types;
}

sub number { return scalar reverse(reverse($_[0]) =~ s/(\d{3})(?=\d)/$1,/gr) }

# Returns bounds and default as a sentence, or nothing.
sub bounds_of {
	my ($schema) = @_;
	my @said;
	push @said, number($schema->{minimum}) . ' to ' . number($schema->{maximum})
		if defined $schema->{minimum} && defined $schema->{maximum};
	push @said, 'from ' . number($schema->{minimum})
		if $schema->{minimum} && !defined $schema->{maximum};
	push @said, 'at most ' . number($schema->{maxLength}) . ' characters'
		if defined $schema->{maxLength};
	push @said, 'at most ' . number($schema->{maxItems})
		if defined $schema->{maxItems};
	push @said, 'default ' . (JSON::PP::is_bool($schema->{default})
			? ($schema->{default} ? 'true' : 'false')
			: $schema->{default} eq '' ? 'empty' : $schema->{default})
		if exists $schema->{default};
	return @said ? ucfirst(join '; ', @said) . '.' : '';
}

# ---- tables

my $tables = 0;

# Returns a table whose first column heads its rows. A row may begin with its id, after "\0".
sub table {
	my ($caption, $heads, @rows) = @_;
	my $id = 'table-' . ++$tables;
	my $html = qq(<div class="table" role="region" aria-labelledby="$id" )
		. qq(tabindex="0">\n<table>\n<caption id="$id">$caption</caption>\n<thead><tr>)
		. join('', map { qq(<th scope="col">$_</th>) } @$heads)
		. "</tr></thead>\n<tbody>\n";
	for my $row (@rows) {
		my ($first, @rest) = @$row;
		my $at = '';
		($at, $first, @rest) = (qq( id="$1"), @rest) if $first =~ /^\0(.*)/;
		$html .= qq(<tr$at><th scope="row">$first</th>)
			. join('', map { "<td>$_</td>" } @rest) . "</tr>\n";
	}
	return "$html</tbody>\n</table>\n</div>\n";
}

sub notes {
	my ($description, @more) = @_;
	return join ' ', grep { $_ ne '' } prose($description), @more;
}

# Returns the members of an object; members of a nested object follow it, named with a dot.
sub member_rows {
	my ($object, $schema, $prefix) = @_;
	my %needed = map { $_ => 1 } @{ $schema->{required} // [] };
	my @rows;
	for my $name (@{ $names{ $schema->{properties} } }) {
		my $member = $schema->{properties}{$name};
		my $inner = $member->{items} // $member;
		my $nested = $inner->{properties};
		push @rows, ["\0$object-$prefix$name" =~ s/\[\]//gr, code("$prefix$name"),
			$nested ? ($member->{items} ? 'array of objects' : 'object')
				: type_of($member),
			notes($member->{description}, bounds_of($member),
				$needed{$name} ? '' : 'Optional.')];
		push @rows, member_rows($object, $inner,
			"$prefix$name" . ($member->{items} ? '[].' : '.')) if $nested;
	}
	return @rows;
}

# ---- parts of the page

sub parameters {
	my ($operation, $name) = @_;
	my @rows = map {
		my $parameter = resolve($_);
		[code($parameter->{name}),
			type_of($parameter->{schema}) . ", in the $parameter->{in}",
			notes($parameter->{description}, bounds_of($parameter->{schema}),
				$parameter->{required} ? 'Required.' : '')];
	} @{ $operation->{parameters} // [] };
	return @rows ? table("Parameters of $name", [qw(Name Type Rules)], @rows) : '';
}

sub status_rows {
	my ($operation) = @_;
	my $responses = $operation->{responses};
	my @rows;
	for my $status (@{ $names{$responses} }) {
		my $response = resolve($responses->{$status});
		my $schema = $response->{content}
			? $response->{content}{'application/json'}{schema} : undef;
		push @rows, [$status eq 'default' ? 'other' : $status,
			$schema ? type_of($schema) : 'no body',
			prose($response->{description})];
	}
	return @rows;
}

# Returns a sample in colours, with a place for the button that copies it.
sub block {
	my ($language, $source) = @_;
	return '<div class="code"><pre tabindex="0"><code>'
		. Highlight::html($language, $source =~ s/\n\z//r)
		. '</code></pre></div>';
}

sub sample {
	my ($file) = @_;
	my ($language) = $file =~ /\.(\w+)$/;
	return block($language, slurp("$here/samples/$file"));
}

sub example {
	my ($title, $content) = @_;
	my $examples = $content->{examples};
	my $html = '';
	for my $name (@{ $names{$examples} }) {
		$html .= "<details><summary>$title: "
			. escape($examples->{$name}{summary}) . '</summary>'
			. block('json', write_json($examples->{$name}{value}, ''))
			. "</details>\n";
	}
	return $html;
}

sub call_of {
	my ($operation) = @_;
	my $call = $call_of{ $operation->{operationId} };
	return defined $call ? ' With a client: ' . code($call) . '.' : '';
}

sub operation {
	my ($path, $method) = @_;
	my $operation = $api->{paths}{$path}{$method};
	my $body = $operation->{requestBody};
	my $json = 'application/json';
	my $name = code(uc($method) . " $path");
	my $html = qq(<section id="operation-$operation->{operationId}">\n)
		. "<h3>$name</h3>\n"
		. "<p><strong>" . escape($operation->{summary}) . '.</strong> '
		. prose($operation->{description}) . "</p>\n"
		. qq(<p class="scope">Scope: )
		. code($operation->{security}[0]{key}[0])
		. '.' . call_of($operation) . "\@explained:$operation->{operationId}\@</p>\n"
		. parameters($operation, $name);
	$html .= '<p>Body: ' . type_of($body->{content}{$json}{schema}) . '. '
		. prose($body->{description}) . "</p>\n" if $body;
	$html .= table("Answers to $name", [qw(Status Body Meaning)], status_rows($operation));
	$html .= example('Example body', $body->{content}{$json}) if $body;
	return $html . example('Example', resolve($operation->{responses}{200})
		->{content}{$json}) . "</section>\n";
}

sub variants {
	my ($schema) = @_;
	return map {
		my $variant = $_;
		my $members = $variant->{properties};
		[code($members->{type}{const}), join '<br>', map {
			my $rest = notes($members->{$_}{description});
			code($_) . ': ' . type_of($members->{$_}) . ($rest ? ". $rest" : '')
		} grep { $_ ne 'type' } @{ $names{$members} }]
	} @{ $schema->{oneOf} };
}

sub object {
	my ($name) = @_;
	my $schema = $api->{components}{schemas}{$name};
	my $html = qq(<section id="object-$name">\n<h3>$name</h3>\n);
	$html .= '<p>' . prose($schema->{description}) . "</p>\n"
		if $schema->{description};
	if ($schema->{properties}) {
		$html .= table("Members of $name", [qw(Member Type Notes)],
			member_rows("object-$name", $schema, ''));
	} elsif ($schema->{oneOf}) {
		$html .= table("Kinds of $name", ['<code>type</code>', 'Members'],
			variants($schema));
	} else {
		$html .= '<p>One of ' . type_of($schema) . ".</p>\n";
	}
	return "$html</section>\n";
}

sub error {
	my ($error) = @_;
	my $html = qq(<section id="error-$error->{code}">\n<h3>$error->{status} )
		. code($error->{code}) . "</h3>\n<p>" . prose($error->{meaning})
		. "</p>\n<dl>\n";
	for my $case (@{ $error->{causes} }) {
		$html .= '<dt>' . prose($case->{cause}) . "</dt>\n<dd>"
			. prose($case->{mend}) . "</dd>\n";
	}
	return "$html</dl>\n</section>\n";
}

sub operations {
	return join '', map {
		my $path = $_;
		map { operation($path, $_) } @{ $names{ $api->{paths}{$path} } }
	} @{ $names{ $api->{paths} } };
}

# ---- links between the text and the operations

# Returns the operation that a text like `GET /articles/{id}` or `/articles?limit=100` names.
sub operation_of {
	my ($method, $path) = @_;
	my $methods = $api->{paths}{ $path =~ s/\?.*//r } or return;
	$method = lc($method // '') || $names{$methods}[0];
	return $methods->{$method} ? $methods->{$method}{operationId} : undef;
}

# Makes a link of each section's first mention of an operation, but not within a heading, a
# link, a caption or a sample; then adds the links back.
sub linked {
	my ($html) = @_;
	my ($section, $title, %met, %explained) = ('', '');
	my $out = '';
	for my $piece (split m{(<(?:h\d|a|caption|pre|summary|style|script)\b.*?
		</(?:h\d|a|caption|pre|summary|style|script)>|<section\ id="[^"]*">)}xs,
		$html) {
		if ($piece =~ /^<section id="([^"]*)">/) {
			($section, $title) = ($1, '');
		} elsif ($piece =~ m{^<h[23][^>]*>(.*)</h}s) {
			$title ||= $1;
		} elsif ($piece !~ /^<(?:h\d|a|caption|pre|summary|style|script)\b/) {
			$piece =~ s{<code>(?:(GET|POST)\ )?(/[a-z]+(?:/\{id\})?(?:\?[^<]*)?)</code>}{
				my ($whole, $id) = ($&, operation_of($1, $2));
				if ($id && $section ne "operation-$id" && !$met{$section}{$id}++) {
					push @{ $explained{$id} }, qq(<a href="#$section">$title</a>)
						if $section !~ /-/;
					$whole = qq(<a href="#operation-$id">$whole</a>);
				}
				$whole;
			}gex;
		}
		$out .= $piece;
	}
	return $out =~ s{\@explained:(\w+)\@}{
		my $places = join ', ', @{ $explained{$1} // [] };
		$places eq '' ? '' : " Explained in: $places.";
	}ger;
}

sub contents {
	return join "\n", map {
		my $path = $_;
		map {
			my $id = $api->{paths}{$path}{$_}{operationId};
			qq(<li><a href="#operation-$id"><span>) . uc($_) . "</span> $path</a></li>"
		} @{ $names{ $api->{paths}{$path} } }
	} @{ $names{ $api->{paths} } };
}

# Returns the link to a client, and the command that fetches it without a browser.
sub client {
	my ($name) = @_;
	my ($path, $file) = @{ $client{$name} };
	my $size = int((-s "$here/../$path") / 1024 + 0.5);
	return qq(<p class="download"><a href="\@root\@clients/$name.txt" )
		. qq(download="$file">Download <code>$file</code></a> ($size KB)</p>\n)
		. block('sh', "curl -o $file https://api.example.com/clients/$name.txt");
}

sub digest {
	my ($text) = @_;
	my $digest = sha256_base64(encode('UTF-8', $text));
	return $digest . '=' x (-length($digest) % 4);
}

# The page's policy allows its own style and script. The script is named by a nonce that is its
# digest, since checkers cannot compare digests; a static page has no place where a stranger
# could write another element with that nonce.
sub policy {
	my ($style, $script) = @_;
	return "default-src 'none'; style-src 'sha256-" . digest($style)
		. "'; script-src 'nonce-" . digest($script)
		. "'; img-src data:; base-uri 'none'; form-action 'none'";
}

my %part = (
	style => slurp("$here/style.css"),
	script => slurp("$here/page.js"),
	icon => encode_base64(slurp("$here/../lib/screen/icon.svg"), ''),
	description => prose($api->{info}{description}),
	contents => contents(),
	operations => operations(),
	objects => join('', map { object($_) } @{ $names{ $api->{components}{schemas} } }),
	errors => join('', map { error($_) } @{ $api->{'x-errors'} }),
);
chomp @part{qw(style operations objects errors)};
$part{policy} = policy(@part{qw(style script)});
$part{nonce} = digest($part{script});

my $page = slurp("$here/page.html");
$page =~ s{\@code:([\w.]+)\@}{sample($1)}ge;
$page =~ s{\@client:(\w+)\@}{client($1)}ge;
$page =~ s{\@(?!root\@)(\w+)\@}{$part{$1} // die "page.html: \@$1\@\n"}ge;
$page = linked($page);
spew("$folder/index.html", $page =~ s/\@root\@//gr);
spew("$folder/docs/index.html", $page =~ s{\@root\@}{../}gr);
spew("$folder/clients/$_.txt", slurp("$here/../$client{$_}[0]")) for sort keys %client;
