# Predicts the exported bytes of an article of the model: sections of plain paragraphs, no
# picture, left to right (docs/export.md §1 to §6). Only the checks that judge language are not
# predicted.
package Model::Export;

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use Encode qw(encode_utf8);
use Galley::JSON ();

use Model::Match qw(token like one_of);
use Model::Time qw(micro_of second_text narrow);

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my %locale = (en => 'en_US', de => 'de_DE', fr => 'fr_FR', es => 'es_ES');

# Returns the article object, of the edition or of a draft's working copy. `got` is the object
# that was received: the second of a publication may be known only from it.
sub article {
	my ($world, $article, $got) = @_;
	my $of = shown_of($world, $article, $got);
	my $snapshot = $of->{snapshot};
	return {
		id => token('uuid', "article $article->{name}"), schema_version => '1.1',
		revision => token('x1', md5_hex(encode_utf8(revision_of($of)))),
		version => $article->{version} || undef, status => $article->{state},
		slug => $snapshot->{slug}, title => $snapshot->{title},
		html => html($of), head_html => bless({ of => $of }, 'Model::Export::Head'),
		content => content($of), seo => seo($of), json_ld => json_ld($of),
		publishing_checks => checks($of), reading_minutes => minutes($of),
		image_url => undef, image_width => undef, image_height => undef,
	};
}

# Returns everything from which an export is made.
sub shown_of {
	my ($world, $article, $got) = @_;
	my $workspace = $world->{workspaces}{ $article->{workspace} };
	my $settings = $workspace->{settings};
	my $draft = $article->{state} eq 'draft';
	my $snapshot = $draft ? $article->{working} : $article->{edition};
	my %of = (article => $article, settings => $settings, draft => $draft,
		snapshot => $snapshot, language => $snapshot->{language},
		id => $world->article_id($article->{name}) // $got->{id} // '',
		workspace => $world->{texts}{uuid}{"workspace $workspace->{name}"});
	$of{brand} = $settings->{publisher_name} ne '' ? $settings->{publisher_name}
		: $settings->{name};
	$of{site} = $settings->{website} eq '' ? undef : "$settings->{website}/";
	$of{canonical} = canonical($article, $snapshot, $settings);
	my $own = $snapshot->{author_name} ne '' ? $snapshot : $settings;
	@of{qw(author author_url)} = @{$own}{qw(author_name author_url)};
	$of{title} = $snapshot->{meta_title} ne '' ? $snapshot->{meta_title}
		: $snapshot->{title};
	$of{description} = description($snapshot);
	if (!$draft) {
		my $graph = ref $got eq 'HASH' && ref $got->{seo} eq 'HASH'
			? $got->{seo}{openGraph} : {};
		$of{first} = second_of($article->{first}, $graph->{publishedTime});
		$of{modified} = second_of($article->{modified}, $graph->{modifiedTime});
	}
	return \%of;
}

# Returns the text of a moment's second. When the interval holds two seconds, the received
# answer decides.
sub second_of {
	my ($moment, $told) = @_;
	if (int($moment->{lo} / 1000000) != int($moment->{hi} / 1000000)) {
		my $at = micro_of($told);
		narrow($moment, $at, $at + 999999) if defined $at;
	}
	return second_text($moment->{lo});
}

sub canonical {
	my ($article, $snapshot, $settings) = @_;
	return $article->{url} if $article->{url} ne '';
	return undef if $settings->{website} eq '' || $settings->{address_pattern} eq '';
	return $settings->{website}
		. $settings->{address_pattern} =~ s/\{slug\}/$snapshot->{slug}/r;
}

# Returns the meta description, or else the first paragraph; workloads write short paragraphs.
sub description {
	my ($snapshot) = @_;
	return $snapshot->{description} if $snapshot->{description} ne '';
	my ($first) = map { @{ $_->{paragraphs} } } @{ $snapshot->{sections} };
	return $first // '';
}

# Returns a text that is equal exactly when the same is shown of the article.
sub revision_of {
	my ($of) = @_;
	my $article = $of->{article};
	return Galley::JSON->new->canonical->encode([$article->{name}, $article->{state},
		$article->{version}, $of->{snapshot}, $article->{url},
		$of->{draft} ? () : (map { $_->{name} } @{$article}{qw(first modified)}),
		[map { $of->{$_} } qw(brand site author author_url language)],
		[map { $of->{settings}{$_} } qw(language address_pattern publisher_logo_url author_name
			author_url)], $of->{settings}{publisher_name} eq '' ? 0 : 1]);
}

# ---- html

sub text { return $_[0] =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr }
sub attribute { return text($_[0]) =~ s/"/&quot;/gr =~ s/'/&#39;/gr }

sub html {
	my ($of) = @_;
	my $id = 'ab-' . substr $of->{id}, 0, 8;
	my $by = text($of->{author} ne '' ? $of->{author} : $of->{brand});
	$by = '<a href="' . attribute($of->{author_url}) . qq(" rel="author">$by</a>)
		if $of->{author} ne '' && $of->{author_url} ne '';
	my ($date) = ($of->{first} // '') =~ /^(.{10})/;
	$by .= qq( <time datetime="$date">$date</time>) if defined $date;
	my @lines = (qq(<article class="ab-article" id="$id" lang="$of->{language}" dir="ltr">),
		'<header class="ab-header">', '<h1>' . text($of->{snapshot}{title}) . '</h1>',
		qq(<p class="ab-byline">$by</p>), '</header>');
	my $number = 0;
	for my $section (@{ $of->{snapshot}{sections} }) {
		$number++;
		my @paragraphs = map { '<p>' . text($_) . '</p>' } @{ $section->{paragraphs} };
		push @paragraphs, '<aside class="ab-callout ab-callout-todo"><p>'
			. text($section->{todo}) . '</p></aside>' if defined $section->{todo};
		push @lines, $section->{heading} eq '' ? @paragraphs : (
			qq(<section class="ab-section" id="$id-s$number">),
			'<h2>' . text($section->{heading}) . '</h2>', @paragraphs, '</section>');
	}
	return join "\n", @lines, '</article>';
}

# ---- head_html: lines; the last is JSON-LD, whose members may have any order

sub head {
	my ($of) = @_;
	my @lines = ('<title>' . text($of->{title}) . '</title>');
	my $meta = sub {
		my ($attribute, $name, $value) = @_;
		push @lines, qq(<meta $attribute="$name" content=") . attribute($value) . '">'
			if defined $value && $value ne '';
	};
	$meta->(name => 'description', $of->{description});
	$meta->(name => 'robots', robots($of));
	push @lines, '<link rel="canonical" href="' . attribute($of->{canonical}) . '">'
		if defined $of->{canonical};
	$meta->(property => 'og:type', 'article');
	$meta->(property => 'og:title', $of->{title});
	$meta->(property => 'og:description', $of->{description});
	$meta->(property => 'og:url', $of->{canonical});
	$meta->(property => 'og:site_name', $of->{brand});
	$meta->(property => 'og:locale', $locale{ $of->{language} });
	$meta->(property => 'article:published_time', $of->{first});
	$meta->(property => 'article:modified_time', $of->{modified});
	$meta->(property => 'article:author', profile($of));
	$meta->(property => 'article:section', $of->{snapshot}{section});
	$meta->(property => 'article:tag', $_) for @{ $of->{snapshot}{tags} };
	$meta->(name => 'twitter:card', 'summary');
	$meta->(name => 'twitter:title', $of->{title});
	$meta->(name => 'twitter:description', $of->{description});
	return join "\n", @lines;
}

sub Model::Export::Head::fits {
	my ($want, $world, $got, $path) = @_;
	my ($head, $json) = ($got // '')
		=~ m{^(.*)\n<script type="application/ld\+json">(\{[^<>&]*\})</script>$}s;
	return "$path: no head with JSON-LD" if !defined $json;
	my $graph = eval { Galley::JSON->new->decode($json) };
	return Model::Match::match($world, head($want->{of}), $head, $path)
		// Model::Match::match($world, json_ld($want->{of}), $graph, "$path.json_ld");
}

sub profile { my ($of) = @_; return $of->{author} ne '' ? $of->{author_url} : '' }

sub robots {
	my ($of) = @_;
	return $of->{draft} ? 'noindex, nofollow'
		: $of->{snapshot}{noindex} || $of->{snapshot}{unfinished} ? 'noindex, follow'
		: 'index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1';
}

# ---- objects

# Returns the object without members that have no value.
sub object {
	my (@pairs) = @_;
	my %object;
	while (my ($name, $value) = splice @pairs, 0, 2) {
		$object{$name} = $value
			if defined $value && (ref $value eq 'ARRAY' ? @$value : $value ne '');
	}
	return \%object;
}

sub seo {
	my ($of) = @_;
	my $snapshot = $of->{snapshot};
	return { title => $of->{title}, description => $of->{description},
		canonical => $of->{canonical}, robots => robots($of),
		language => $of->{language}, openGraph => object(type => 'article',
			title => $of->{title}, description => $of->{description},
			url => $of->{canonical}, siteName => $of->{brand},
			locale => $locale{ $of->{language} }, publishedTime => $of->{first},
			modifiedTime => $of->{modified}, authors => [grep { $_ ne '' } profile($of)],
			section => $snapshot->{section}, tags => $snapshot->{tags}),
		twitter => object(card => 'summary', title => $of->{title},
			description => $of->{description}) };
}

sub json_ld {
	my ($of) = @_;
	my ($site, $language) = @{$of}{qw(site language)};
	my $canonical = $of->{canonical};
	my $base = $canonical // "urn:uuid:$of->{id}";
	my $logo = $of->{settings}{publisher_logo_url};
	my $organization = ($site // "urn:uuid:$of->{workspace}") . '#organization';
	my %publisher = %{ object('@type' => 'Organization', '@id' => $organization,
		name => $of->{brand}, url => $site) };
	my $person = $of->{author} eq '' ? undef : object('@type' => 'Person',
		'@id' => "$base#author", name => $of->{author}, url => $of->{author_url});
	my %dates = (datePublished => $of->{first}, dateModified => $of->{modified});
	my $page = { '@id' => "$base#webpage" };
	my @graph = ({ %publisher, $logo eq '' ? () : (logo => { '@type' => 'ImageObject',
		'@id' => $organization =~ s/organization$/logo/r, url => $logo,
		contentUrl => $logo, caption => $of->{brand} }) });
	push @graph, $person if $person;
	push @graph, { '@type' => 'WebSite', '@id' => "$site#website", url => $site,
		name => $of->{brand}, publisher => { '@id' => $organization },
		inLanguage => $of->{settings}{language} } if defined $site;
	push @graph, object('@type' => 'WebPage', %$page, url => $canonical,
		name => $of->{title}, description => $of->{description},
		isPartOf => defined $canonical && defined $site ? { '@id' => "$site#website" }
			: undef, %dates, breadcrumb => defined $canonical && defined $site
			? { '@id' => "$base#breadcrumb" } : undef, inLanguage => $language);
	push @graph, { '@type' => 'BreadcrumbList', '@id' => "$base#breadcrumb",
		itemListElement => [{ '@type' => 'ListItem', position => 1,
			name => $of->{brand}, item => $site }, { '@type' => 'ListItem', position => 2,
			name => $of->{snapshot}{title} }] } if defined $canonical && defined $site;
	push @graph, object('@type' => 'BlogPosting', '@id' => "$base#article",
		headline => $of->{snapshot}{title}, description => $of->{description}, %dates,
		creativeWorkStatus => $of->{draft} ? 'Draft' : undef,
		author => $person // \%publisher, publisher => \%publisher,
		mainEntityOfPage => $page, isPartOf => $page, inLanguage => $language,
		wordCount => words($of), timeRequired => 'PT' . minutes($of) . 'M',
		articleSection => $of->{snapshot}{section}, keywords => $of->{snapshot}{tags},
		isAccessibleForFree => $true);
	return { '@context' => 'https://schema.org', '@graph' => \@graph };
}

sub content {
	my ($of) = @_;
	my $number = 0;
	my @sections = map { { id => 's' . ++$number, heading => $_->{heading},
		body => [(map { { type => 'paragraph', text => $_ } } @{ $_->{paragraphs} }),
			defined $_->{todo} ? { type => 'callout', index => 0 } : ()],
		callouts => [defined $_->{todo} ? { kind => 'todo', title => undef,
			text => $_->{todo} } : ()],
		map { $_ => [] } qw(steps tables subsections) } }
		@{ $of->{snapshot}{sections} };
	return { summary => '', takeaways => [], sections => \@sections, faqs => [],
		references => [], imageAlt => undef, imageCaption => undef,
		labels => { map { $_ => like(qr/\w/) } qw(takeaways faqs references) } };
}

# ---- counts and checks

sub count_words { my $count = () = $_[0] =~ /[\p{L}\p{M}\p{N}]+/g; return $count }

sub words {
	my ($of) = @_;
	my $words = 0;
	$words += count_words($_) for map { ($_->{heading}, @{ $_->{paragraphs} },
		$_->{todo} // ()) } @{ $of->{snapshot}{sections} };
	return $words;
}

sub minutes { my $words = words(@_); return $words > 220 ? int(($words + 219) / 220) : 1 }

my @labels = ('Title is between 20 and 70 characters',
	'Meta description is between 70 and 160 characters', 'Title and description differ',
	'Exactly one H1 heading', 'Heading levels are not skipped', 'No duplicate headings',
	'At least three sections', 'Every section has text', 'Article has enough text',
	'Sentences are readable', 'No repeated paragraphs', 'No placeholder text',
	'Text matches the article language', 'Cover image is present',
	'Cover image has alternative text', 'Cover image is at least 1200 pixels wide',
	'At least two references', 'Every citation points to a listed reference',
	'Every listed reference is cited', 'References use HTTPS and are unique',
	'Links are valid', 'Canonical address is configured',
	'Publisher name and logo are configured', 'Structured data is complete');

sub checks {
	my ($of) = @_;
	my $sections = @{ $of->{snapshot}{sections} };
	my $between = sub { my ($text, $least, $most) = @_;
		return length $text >= $least && length $text <= $most };
	my $settings = $of->{settings};
	# The results by number, from 1; undef is not predicted.
	my %passed = (1 => $between->($of->{snapshot}{title}, 20, 70),
		2 => $between->($of->{description}, 70, 160),
		7 => $sections >= 3, 8 => $sections == 0, 9 => 0,
		12 => !$of->{snapshot}{unfinished}
			&& !Model::Editor::todos($of->{snapshot}), (map { $_ => 0 } 14 .. 17),
		22 => defined $of->{canonical}, 23 => $settings->{publisher_name} ne ''
			&& $settings->{publisher_logo_url} ne '', 24 => 0,
		map { $_ => undef } 10, 11, 13);
	return [map { {
		label => $labels[$_ - 1], passed => !exists $passed{$_} ? $true
			: defined $passed{$_} ? ($passed{$_} ? $true : $false)
			: one_of($true, $false) } } 1 .. 24];
}

1;
