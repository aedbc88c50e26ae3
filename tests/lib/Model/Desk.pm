# The editor of the console (docs/console.md §5): what a form shows, what a save makes of it, the
# acts of its buttons, and the page "Publish".
#
# An article has here, besides what Model::Editor says: `handed` {person, version}, `date` {at,
# person, snapshot, unfinished, suspended}, `saves` (the rows of its History, [PERSON, TITLE],
# the person undef for "Changed in another way") and `known` (each working copy that is stored as
# a save, as JSON: whether as it was typed).
package Model::Desk;

use strict;
use warnings;

use Galley::JSON ();

use Model::Editor ();
use Model::Match qw(token);
use Model::Text qw(text_of sections_of merge_texts);
use Model::Time qw(exactly micro_of second_text);

my $json = Galley::JSON->new->canonical;

# The fields of the form that are fields of the snapshot.
my %member = (title => 'title', slug => 'slug', description => 'description',
	language => 'language', section => 'section', author => 'author_name',
	'author-address' => 'author_url');
my @fields = (sort(keys %member), qw(tags noindex published-address date));

sub key_of { my ($snapshot) = @_; return $json->encode($snapshot) }

# Returns what the form shows of an article: {FIELD => TEXT}, with the text.
sub values_of {
	my ($article, $snapshot) = @_;
	return { (map { $_ => $snapshot->{ $member{$_} } } keys %member),
		tags => join(', ', @{ $snapshot->{tags} }), noindex => $snapshot->{noindex} ? 1 : 0,
		text => text_of($snapshot->{sections}),
		'published-address' => $article->{url}, date => day_of($article->{created}) };
}

# The day of a moment, or undef if the model does not know it.
sub day_of {
	my ($moment) = @_;
	my ($lo, $hi) = map { substr second_text($moment->{$_}), 0, 10 } qw(lo hi);
	return $lo eq $hi ? $lo : undef;
}

# Returns whether the article is handed in; anything that publishes it ends that.
sub handed {
	my ($article) = @_;
	my $handed = $article->{handed};
	return $handed && $article->{state} ne 'deleted'
		&& $handed->{version} == $article->{version} ? $handed : undef;
}

sub has_changes {
	my ($article) = @_;
	return $article->{version} > 0
		&& key_of($article->{working}) ne key_of($article->{edition_of});
}

sub is_current { my ($article) = @_;
	return $article->{state} eq 'published' && !has_changes($article) }

# ---- what the form has

# Returns the labels of the buttons that a person with these rights sees in the editor.
sub buttons {
	my ($may, $article, $person) = @_;
	if ($article && $article->{state} eq 'deleted') {
		return $may->{publish} ? 'Restore' : ();
	}
	my $handed = $article ? handed($article) : undef;
	my $own = $handed && $handed->{person} eq $person;
	return (($may->{write} ? qw(Save Preview Check) : ()),
		$may->{publish} && ($article || 1) ? 'Publish' : (),
		$article && $may->{publish} ? ($article->{state} eq 'published' ? 'Unpublish' : (),
			'Move to trash') : (),
		$may->{write} && ($article ? !$handed : !$may->{publish}) ? 'Hand in for review' : (),
		$article && $may->{publish} && $handed && !$own ? 'Hand back' : (),
		$may->{write} && $own ? 'Take back' : (), $article ? 'Add comment' : ());
}

my %button = (
	'Save' => { need => 'write' }, 'Preview' => { need => 'write', leads => '/preview' },
	'Check' => { need => 'write', leads => '?check=1' },
	'Publish' => { need => 'publish', leads => '/publish' },
	'Unpublish' => { need => 'publish', notice => 'unpublished' },
	'Move to trash' => { need => 'publish', notice => 'trashed' },
	'Hand in for review' => { need => 'write', notice => 'handed-in' },
	'Hand back' => { need => 'publish', notice => 'handed-back' },
	'Take back' => { need => 'write', notice => 'taken-back' },
	'Add comment' => { need => 'read' },
);
sub need_of { return $button{ $_[0] }{need} }

# Returns the fields that a person with these rights cannot change.
sub readonly {
	my ($may, $article) = @_;
	return (@fields, 'text') if !$may->{write};
	return () if $may->{publish};
	return ('published-address', 'date', $article && $article->{version} > 0 ? 'slug' : ());
}

# ---- a save

# Returns ({what to do}, {clashes}) for values that were typed over `tab`, a form of the article.
# The clashes are {fields => [NAME...], places => COUNT}.
sub make_copy {
	my ($article, $tab, $values, $may, $choices) = @_;
	my $base = base_of($article, $tab);
	my $theirs = $article->{working};
	my $stale = key_of($base->{snapshot}) ne key_of($theirs) || !$base->{known};
	my %made = (working => { %$theirs }, url => $article->{url}, text => typed_text($article));
	my %clash = (fields => [], places => 0);
	my $answered = defined $tab->{over} && $tab->{over} eq key_of($theirs);
	my %readonly = map { $_ => 1 } readonly($may, $article);
	make_text(\%made, \%clash, $base, $theirs, $values->{text}, $stale,
		$answered ? $choices->{places} : []) if !$readonly{text};
	my %now = %{ values_of($article, $theirs) };
	my %was = %{ $base->{values} };
	$was{$_} = $tab->{was}{$_} for qw(published-address date);
	for my $field (grep { !$readonly{$_} } @fields) {
		my $mine = $values->{$field};
		next if $field eq 'slug' && $mine eq '' || $field eq 'date' && ($mine // '') eq '';
		next if $mine eq $was{$field} || $mine eq $now{$field};
		if ($was{$field} ne $now{$field}) {
			my $choice = $answered ? $choices->{fields}{$field} : undef;
			push @{ $clash{fields} }, $field if !defined $choice;
			next if ($choice // 'theirs') eq 'theirs';
		}
		$made{merged} = 1 if $stale;
		set_field(\%made, $field, $mine);
	}
	return (\%made, @{ $clash{fields} } || $clash{open} ? \%clash : undef);
}

sub set_field {
	my ($made, $field, $mine) = @_;
	my $working = $made->{working};
	if ($member{$field}) { $working->{ $member{$field} } = $mine }
	elsif ($field eq 'tags') { $working->{tags} = [split /, /, $mine] }
	elsif ($field eq 'noindex') { $working->{noindex} = $mine }
	elsif ($field eq 'date') { $made->{date} = $mine }
	else { $made->{url} = $mine }
}

# What the form was made from: the working copy that it showed, if it is known still. Else the
# edition that was made of it, or one without text.
sub base_of {
	my ($article, $tab) = @_;
	my $key = key_of($tab->{snapshot});
	my $snapshot = $key eq key_of($article->{working}) || exists $article->{known}{$key}
		? $tab->{snapshot}
		: $article->{edition_of} && $key eq key_of($article->{edition_of})
		? $article->{edition} : { %{ $article->{working} }, sections => [] };
	my $same = key_of($snapshot) eq $key;
	return { snapshot => $snapshot, values => values_of($article, $snapshot),
		known => $same };
}

# Returns the text that was typed for the present working copy; undef if none was.
sub typed_text {
	my ($article) = @_;
	return $article->{known}{ key_of($article->{working}) }
		? text_of($article->{working}{sections}) : undef;
}

sub make_text {
	my ($made, $clash, $base, $theirs, $mine, $stale, $choices) = @_;
	my ($was, $now) = map { text_of($_->{sections}) } $base->{snapshot}, $theirs;
	return if $mine eq $was;
	if ($stale && $was ne $now) {
		($mine, my $places) = merge_texts($was, $now, $mine, $choices);
		@{$clash}{qw(places open)} = ($places, !defined $mine);
		return if !defined $mine;
		$made->{loser} = $base->{snapshot}{title} if $places > 0;
		return if $mine eq $now;
		$made->{merged} = 1;
	}
	$made->{text} = $mine;
	$made->{working}{sections} = sections_of($mine);
}

# Returns what stands against a copy: [FIELD], or undef.
sub wrong_with {
	my ($world, $article, $working) = @_;
	return 'title' if $working->{title} eq '';
	return 'slug' if $working->{slug} ne $article->{working}{slug}
		&& held($world, $article, $working->{slug});
	return undef;
}

# Returns whether a slug belongs to another article of the workspace: to its working copy, or to
# its shown edition.
sub held {
	my ($world, $article, $slug) = @_;
	return scalar grep { $_->{name} ne $article->{name} && ($_->{working}{slug} eq $slug
		|| $_->{state} eq 'published' && $_->{edition}{slug} eq $slug) }
		$world->articles_of($article->{workspace});
}

# Stores what was made; returns whether that is a save, and whether anything was changed.
sub store {
	my ($world, $article, $made, $person, $now) = @_;
	my $before = key_of($article->{working});
	my $typed = typed_text($article);
	push @{ $article->{saves} }, [$person, $made->{loser}] if defined $made->{loser};
	my $changed = $before ne key_of($made->{working});
	my $saved = $changed || defined $made->{text}
		&& (!defined $typed || $typed ne $made->{text});
	if ($saved) {
		push @{ $article->{saves} }, [undef, $article->{working}{title}]
			if !exists $article->{known}{$before};
		$article->{known}{$before} //= 0;
		$article->{working} = $made->{working};
		$article->{known}{ key_of($made->{working}) } = defined $made->{text} ? 1 : 0;
		push @{ $article->{saves} }, [$person, $made->{working}{title}];
	}
	if ($made->{url} ne $article->{url}) {
		$article->{url} = $made->{url};
		Model::Editor::announce($world, $article, $now) if $article->{state} eq 'published';
		$saved = 1;
	}
	if (defined $made->{date}) {
		$article->{created} = exactly(micro_of("$made->{date}T00:00:00Z"));
		$saved = 1;
	}
	return $saved;
}

# ---- the buttons

# Returns whether what the button says is refused after this save.
sub is_refused {
	my ($article, $made, $button, $person) = @_;
	my $handed = handed($article);
	return $article->{state} ne 'published' if $button eq 'Unpublish';
	return $handed || $article->{state} eq 'published'
		&& key_of($made->{working}) eq key_of($article->{edition_of})
		if $button eq 'Hand in for review';
	return !$handed || $button eq 'Take back' && $handed->{person} ne $person
		if $button =~ /^(?:Hand|Take) back$/;
	return 0;
}

# Does what the button says after the save.
sub act {
	my ($article, $button, $person) = @_;
	if ($button =~ /^(?:Unpublish|Move to trash)$/) {
		end_date($article);
		$article->{state} = $button eq 'Unpublish' ? 'draft' : 'deleted';
	} elsif ($button eq 'Hand in for review') {
		$article->{handed} = { person => $person, version => $article->{version} };
	} elsif ($button =~ /^(?:Hand|Take) back$/) {
		$article->{handed} = undef;
	}
}

sub end_date { my ($article) = @_; $article->{date} = undef }

# Returns where a button leads: (PATH behind the article's address, NOTICE).
sub leads {
	my ($button, $made, $saved, $said) = @_;
	my $notice = $made->{merged} ? 'merged' : $saved ? 'saved' : $said ? 'commented' : 'unchanged';
	$notice = $button{$button}{notice} // $notice;
	$notice = undef if $button eq 'Publish';
	return ($button{$button}{leads} // '', $notice);
}

# ---- the page "Publish"

# What must be the same when it is published.
sub seen_of {
	my ($world, $article) = @_;
	my $workspace = $world->{workspaces}{ $article->{workspace} };
	return $json->encode([$article->{working}, $workspace->{settings_number}, $article->{url},
		$article->{version}, $article->{state}]);
}

1;
