# How the operator's commands change articles (docs/design.md §3, §4.16, §6).
#
# An article is {name, workspace, state, version, working, edition, created, url,
# first, modified, stamp}. `working` and `edition` are snapshots (`edition_of` is the
# working copy as it was published; `unfinished` counts the parts that an edition left out;
# `titles` are those of all editions; `date` is of Model::Dates);
# `first`, `modified` and `stamp` (the last announced change) are moments. `state` is draft,
# published or deleted. The article's id is the token (uuid, "article NAME").
package Model::Editor;

use strict;
use warnings;

use Galley::JSON ();

use Model::Match qw(token some anything like shown);
use Model::Time qw(moment exactly later micro_of);

my $json = Galley::JSON->new->canonical;
my %refused = (exit => 1, json => anything());

sub snapshot {
	my (%field) = @_;
	return { title => '', slug => '', description => '', meta_title => '',
		section => '', tags => [], noindex => 0, author_name => '', author_url => '',
		sections => [], %field };
}

# Notes a change that /sync must announce.
sub announce {
	my ($world, $article, $now) = @_;
	my $workspace = $world->{workspaces}{ $article->{workspace} };
	my $clock = $workspace->{clock};
	my $rank = $world->rank($article->{workspace});
	my $next = { lo => $clock->{lo} + 1, hi => $clock->{hi} + 1 };
	$workspace->{clock} = $article->{stamp}
		= later($now, $next, "stamp $article->{workspace} $rank", $rank);
	$workspace->{settled} = 0;
}

# Publishes an article. `first` is the date of an imported document, or undef. `modified` is
# never before the publication.
sub publish {
	my ($world, $article, $now, $first) = @_;
	$article->{state} = 'published';
	my $version = ++$article->{version};
	my $left = todos($article->{working});
	$article->{date} = undef;
	push @{ $article->{titles} }, $article->{working}{title};
	$article->{edition_of} = { %{ $article->{working} } };
	$article->{edition} = !$left ? { %{ $article->{working} } }
		: { %{ $article->{working} }, unfinished => $left, sections => [map {
			my %section = %$_;
			delete $section{todo};
			\%section } @{ $article->{working}{sections} }] };
	my $name = "published $article->{name} $version";
	$article->{first} //= $first // moment($now, $name);
	$article->{modified} = later($now, $article->{first}, $name);
	announce($world, $article, $now);
}

# Returns how many places of a snapshot are still to be written.
sub todos { return scalar grep { defined $_->{todo} } @{ $_[0]{sections} } }

# Returns whether any article of the workspace uses the slug, in its working copy or its
# edition.
sub slug_taken {
	my ($world, $workspace, $slug, $but) = @_;
	return scalar grep { $_->{name} ne ($but // '')
		&& ($_->{working}{slug} eq $slug || $_->{edition} && $_->{edition}{slug} eq $slug) }
		$world->articles_of($workspace);
}

# Returns a slug made from a title.
sub derived_slug {
	my ($world, $workspace, $title) = @_;
	my $slug = lc $title;
	$slug =~ s/[^\p{L}\p{M}\p{N}]+/-/g;
	$slug =~ s/^-|-$//g;
	my ($free, $number) = ($slug, 1);
	$free = "$slug-" . ++$number while slug_taken($world, $workspace, $free);
	return $free;
}

# Returns the slug of an article whose document names none.
sub language_of { return $_[0]{workspaces}{ $_[1] }{settings}{language} }

sub add {
	my ($world, $name, $workspace, $now, $working) = @_;
	my $rank = $world->rank($workspace);
	return $world->{articles}{$name} = { name => $name, workspace => $workspace,
		state => 'draft', version => 0, working => $working, edition => undef,
		url => '', first => undef,
		created => moment($now, "created $name", $rank) };
}

sub id_of { my ($article) = @_; return token('uuid', "article $article->{name}") }

# Returns the row that `publish`, `unpublish`, `delete` and `undelete` print for an article.
sub told {
	my ($article, $action) = @_;
	return { exit => 0, json => [some({ id => id_of($article), action => $action,
		status => $article->{state}, version => $article->{version},
		slug => $article->{working}{slug} })] };
}

# ---- operations

# {name, workspace, path, publish, document}: the document is {title, slug?, date?,
# description, section, tags, noindex, author_name, author_url, sections}.
sub do_import {
	my ($world, $op, $now) = @_;
	my %field = %{ $op->{document} };
	my $date = delete $field{date};
	my $known = $world->{articles}{ $op->{name} };
	# Fields that the front matter does not name stay as they were.
	my $slug = delete $field{slug}
		// ($known ? $known->{working}{slug} : $op->{name});
	$field{meta_title} = $known->{working}{meta_title} if $known;
	# An unfinished article stays a draft.
	my $publish = $op->{publish} && !todos(\%field);
	my $line = { path => anything(), notes => anything(), slug => $slug };
	if (slug_taken($world, $op->{workspace}, $slug, $op->{name})) {
		return { exit => 1, json => [some({ path => anything(), status => 'failed' })] };
	}
	my $article = $known // add($world, $op->{name}, $op->{workspace}, $now, undef);
	my $working = snapshot(%field, slug => $slug, language => language_of($world,
		$op->{workspace}));
	return { exit => 0, json => [some({ %$line, id => id_of($article),
		action => 'unchanged', status => $article->{state} })] }
		if $known && as_it_is($known, $working, $publish);
	$article->{working} = $working;
	$article->{state} = 'draft' if $article->{state} eq 'deleted';
	my $at = defined $date ? exactly(micro_of("${date}T00:00:00Z")) : undef;
	$article->{created} = { %$at, name => $at->{name} } if $at;
	publish($world, $article, $now, $at) if $publish;
	$world->committed;
	return { exit => 0, json => [some({ %$line, id => id_of($article),
		action => $known ? 'updated' : 'created', status => $article->{state} })] };
}

# Returns whether an import has nothing to change.
sub as_it_is {
	my ($article, $working, $publish) = @_;
	my $same = sub { $json->encode($_[0] // {}) eq $json->encode($working) };
	return $article->{state} ne 'deleted' && $same->($article->{working})
		&& (!$publish || $article->{state} eq 'published'
			&& $same->($article->{edition_of}));
}

# {article, fields => {FIELD => VALUE}}: title, slug, description, section, tags,
# url, created.
sub do_article_set {
	my ($world, $op, $now) = @_;
	my $article = $world->{articles}{ $op->{article} };
	my %field = %{ $op->{fields} };
	my $url = delete $field{url};
	my $created = delete $field{created};
	return { %refused } if !$article || defined $field{slug}
		&& (slug_taken($world, $article->{workspace}, $field{slug}, $article->{name})
			|| $article->{state} eq 'published'
				&& $field{slug} ne $article->{edition}{slug});
	return { %refused } if defined $field{title} && $field{title} eq '';
	%{ $article->{working} } = (%{ $article->{working} }, %field);
	$article->{created} = exactly(micro_of($created)) if defined $created;
	if (defined $url && $url ne $article->{url}) {
		$article->{url} = $url;
		announce($world, $article, $now) if $article->{state} eq 'published';
	}
	$world->committed;
	return { exit => 0, json => some({ id => id_of($article),
		title => $article->{working}{title}, slug => $article->{working}{slug},
		status => $article->{state}, version => $article->{version},
		created_at => shown($article->{created}),
		published_url => length $article->{url} ? $article->{url} : undef }) };
}

# {article, unfinished, again}: the two options of the command.
sub do_publish {
	my ($world, $op, $now) = @_;
	my $article = $world->{articles}{ $op->{article} };
	return { %refused } if !$article || $article->{state} eq 'deleted'
		|| !$op->{unfinished} && todos($article->{working});
	return told($article, 'unchanged') if !$op->{again}
		&& $article->{state} eq 'published'
		&& $json->encode($article->{working}) eq $json->encode($article->{edition_of});
	publish($world, $article, $now);
	$world->committed;
	return told($article, 'published');
}

sub do_unpublish {
	my ($world, $op) = @_;
	my $article = $world->{articles}{ $op->{article} };
	return { %refused } if !$article || $article->{state} ne 'published';
	return moved($world, $article, 'draft', 'unpublished');
}

sub do_delete {
	my ($world, $op) = @_;
	my $article = $world->{articles}{ $op->{article} };
	return { %refused } if !$article || $article->{state} eq 'deleted';
	return moved($world, $article, 'deleted', 'deleted');
}

sub do_undelete {
	my ($world, $op) = @_;
	my $article = $world->{articles}{ $op->{article} };
	return { %refused } if !$article || $article->{state} ne 'deleted';
	return moved($world, $article, 'draft', 'undeleted');
}

sub moved {
	my ($world, $article, $state, $action) = @_;
	$article->{state} = $state;
	$article->{date} = undef;
	$world->committed;
	return told($article, $action);
}

# Deletes everything in the trash of all workspaces.
sub do_purge {
	my ($world) = @_;
	my @gone = grep { $_->{state} eq 'deleted' } values %{ $world->{articles} };
	delete $world->{articles}{ $_->{name} } for @gone;
	$world->committed;
	return { exit => 0, json => some({ pictures => 0 }) };
}

1;
