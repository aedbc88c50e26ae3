# What the console answers, and what a press of a button changes (docs/console.md §3 to §5).
#
# A person is {name, session, disabled, places}: `session` is the number of the present one, 0
# for none; `places` gives a role for the name of a
# workspace or of an account, or for "instance". A tab is a page that a person has open: {person,
# kind, workspace, article, form} and what its form showed; `form` names the number of its form.
# `forms` of the world holds what was sent with a number: {sent, answer}.
#
# An answer of the console is {status, to, ...}: `to` is the address of a 303 below the console's
# root. Pages have more: `buttons` (sorted), `values` of fields, `rows`.
package Model::Console;

use strict;
use warnings;

use Galley::JSON ();

use Model::Dates ();
use Model::Desk ();
use Model::Editor ();
use Model::Many ();
use Model::Match qw(token some anything like shown);
use Model::Replies ();
use Model::Time qw(moment);

my $json = Galley::JSON->new->canonical;
my %roles = (writer => ['write'], reviewer => ['publish'], editor => [qw(write publish)],
	owner => [qw(write publish manage)], operator => [qw(write publish manage)]);

# ---- who may what

# Returns the rights of a person in a workspace, {read, write, publish, manage}; none for a
# stranger.
sub rights {
	my ($world, $person, $workspace) = @_;
	my $places = $world->{persons}{$person}{places};
	my %may;
	for my $place ($workspace, $world->{workspaces}{$workspace}{account}, 'instance') {
		my $role = $places->{$place} // next;
		$may{$_} = 1 for 'read', @{ $roles{$role} };
	}
	return \%may;
}

# Whether the account of a workspace is suspended: its pages have no buttons, and fields that are only
# read.
sub rests {
	my ($world, $workspace) = @_;
	return $world->{accounts}{ $world->{workspaces}{$workspace}{account} }{suspended};
}

# Returns the refusal of a request in a workspace, or undef. `need` are rights.
sub refusal {
	my ($world, $op, $method, @need) = @_;
	my $person = $world->{persons}{ $op->{person} };
	return { status => 303, to => like(qr{^/sign-in\?then=}) }
		if !$person->{session} || $person->{disabled};
	my $may = rights($world, $op->{person}, $op->{workspace});
	return { status => 404 } if !%$may;
	return { status => 403 } if grep { !$may->{$_} } @need;
	return { status => 403 } if $method eq 'POST' && rests($world, $op->{workspace});
	# A page of another session of this person.
	return { status => 403 } if $op->{was} && $op->{was}{session} != $person->{session};
	return undef;
}

sub article_of {
	my ($world, $op) = @_;
	my $article = $world->{articles}{ $op->{article} };
	return $article && $article->{workspace} eq $op->{workspace} ? $article : undef;
}

# Returns the path of a workspace's page, or of an article's.
sub path {
	my ($world, $op, $rest) = @_;
	my $path = "/$world->{texts}{uuid}{\"workspace $op->{workspace}\"}";
	$path .= '/articles/' . $world->article_id($op->{article}) if defined $op->{article};
	return "$path$rest";
}

sub noticed { my ($path, $notice) = @_;
	return !defined $notice ? $path : $path . ($path =~ /\?/ ? '&' : '?') . "notice=$notice" }

# ---- numbers of forms

# Asks what is known of a form that is sent: ('first'), ('same', ANSWER) or ('other').
sub sent_before {
	my ($world, $form, $sent) = @_;
	my $known = $world->{forms}{$form} // return 'first';
	return 'other' if $known->{sent} ne $sent;
	return ('same', $known->{answer}{again} // $known->{answer});
}

# Notes the number with its answer, and that all of the change is done.
sub done {
	my ($world, $op, $answer) = @_;
	$world->{forms}{ $op->{form} } //= { sent => $op->{sent}, answer => $answer };
	$world->committed;
	return $answer;
}

# ---- pages

# {person, workspace, article, kind, tab, form}: `kind` is editor, new, publish, history or list;
# of a list, `list` is its status.
sub do_open {
	my ($world, $op) = @_;
	my %need = (new => 'write', publish => 'publish');
	my $refused = refusal($world, $op, 'GET', $need{ $op->{kind} } // 'read');
	return $refused if $refused;
	my $article = defined $op->{article} ? article_of($world, $op) : undef;
	return { status => 404 } if defined $op->{article} && !$article;
	my $tab = $world->{tabs}{ $op->{tab} } = { (map { $_ => $op->{$_} }
		qw(person workspace article kind form list)),
		may => rights($world, $op->{person}, $op->{workspace}),
		session => $world->{persons}{ $op->{person} }{session} };
	my $page = __PACKAGE__->can("show_$op->{kind}")->($world, $op, $tab, $article);
	$page = { %$page, buttons => [], values => {} } if rests($world, $op->{workspace});
	$tab->{buttons} = $page->{buttons};
	return $page;
}

sub show_editor {
	my ($world, $op, $tab, $article) = @_;
	my $may = rights($world, $op->{person}, $op->{workspace});
	my $values = Model::Desk::values_of($article, $article->{working});
	@{$tab}{qw(snapshot values was title)} = ({ %{ $article->{working} } }, { %$values },
		{ %$values }, $article->{working}{title});
	my @buttons = Model::Desk::buttons($may, $article, $op->{person});
	my $gone = $article->{state} eq 'deleted';
	return { status => 200, heading => ($gone ? '' : 'Edit: ') . $article->{working}{title}, buttons => [sort @buttons],
		$article->{state} eq 'deleted' ? () : (values => $values) };
}

sub show_new {
	my ($world, $op, $tab) = @_;
	my $may = rights($world, $op->{person}, $op->{workspace});
	my $language = $world->{workspaces}{ $op->{workspace} }{settings}{language};
	$tab->{values} = { (map { $_ => '' } qw(title slug description section author tags text
		author-address published-address date)), language => $language, noindex => 0 };
	return { status => 200, heading => 'New article', values => { %{ $tab->{values} } },
		buttons => [sort +Model::Desk::buttons($may, undef, $op->{person})] };
}

sub show_publish {
	my ($world, $op, $tab, $article) = @_;
	$tab->{seen} = Model::Desk::seen_of($world, $article);
	$tab->{todos} = Model::Editor::todos($article->{working});
	return { status => 200, heading => 'Publish', buttons => [sort
		$article->{state} eq 'deleted' ? () : ($tab->{todos} ? 'Publish unfinished' : 'Publish',
		'Publish at', $article->{date} ? 'Cancel the date' : ())] };
}

sub show_history {
	my ($world, $op, $tab, $article) = @_;
	my @saves = map { ($_->[0] ? "Saved by $_->[0]" : 'Changed in another way') . ": $_->[1]" }
		@{ $article->{saves} // [] };
	return { status => 200, heading => 'History', rows => [sort @saves, map {
		"Edition $_: $article->{titles}[$_ - 1]" } 1 .. $article->{version}] };
}

my %is_listed = (all => sub { $_[0]{state} ne 'deleted' },
	draft => sub { $_[0]{state} eq 'draft' },
	review => sub { Model::Desk::handed($_[0]) },
	scheduled => sub { $_[0]{state} ne 'deleted' && $_[0]{date} },
	published => sub { $_[0]{state} eq 'published' },
	changed => sub { $_[0]{state} eq 'published' && Model::Desk::has_changes($_[0]) },
	trash => sub { $_[0]{state} eq 'deleted' });
sub show_list {
	my ($world, $op, $tab) = @_;
	my $may = rights($world, $op->{person}, $op->{workspace});
	my @listed = sort { Model::Replies::newest_first($world, $a, $b) }
		grep { $is_listed{ $op->{list} }->($_) } $world->articles_of($op->{workspace});
	$tab->{listed} = [map { $_->{name} } @listed];
	my @buttons = !@listed ? () : $op->{list} eq 'trash'
		? ($may->{publish} ? 'Restore' : (), $may->{manage} ? 'Delete for good' : ())
		: !$may->{publish} ? () : ('Publish', 'Move to trash',
			$op->{list} eq 'draft' ? () : 'Unpublish');
	return { status => 200, heading => 'Articles', buttons => [sort @buttons],
		@listed ? (rows => [map { Model::Editor::id_of($_) } @listed]) : () };
}

# ---- presses

# {person, workspace, article, kind, tab, form, button, sent, was, again, ...}: `sent` is a text
# that is equal for equal forms, `was` the tab when the button was pressed first, `next` the form's
# name on a page that comes back.
sub do_press {
	my ($world, $op, $now) = @_;
	return Model::Dates::press($world, $op, $op->{was}, $now) if $op->{kind} eq 'date';
	return Model::Many::press($world, $op, $op->{was}, $now) if $op->{kind} eq 'list';
	return __PACKAGE__->can("press_$op->{kind}")->($world, $op, $op->{was}, $now);
}

# Returns the refusal of a form, or what it was answered before.
sub before {
	my ($world, $op, @need) = @_;
	my $refused = refusal($world, $op, 'POST', @need);
	return $refused if $refused;
	my ($which, $answer) = sent_before($world, @{$op}{qw(form sent)});
	return $answer if $which eq 'same';
	return { status => 404 } if defined $op->{article} && !article_of($world, $op);
	return { status => 409 } if $which eq 'other' && $op->{kind} ne 'editor';
	return undef;
}

# {values, choices}: what is in the form when it is sent. With another content under a number
# that was used, it is a save against its base.
sub press_editor {
	my ($world, $op, $tab, $now) = @_;
	my $answer = before($world, $op, Model::Desk::need_of($op->{button}));
	return $answer if $answer;
	return { status => 422 } if $op->{values}{title} eq '';
	my $article = article_of($world, $op);
	my $may = rights($world, $op->{person}, $op->{workspace});
	my ($made, $clash) = Model::Desk::make_copy($article, $tab, $op->{values}, $may,
		$op->{choices});
	return clashed($world, $op, $article, $clash) if $clash;
	return { status => 409 } if $article->{state} eq 'deleted';
	my $wrong = Model::Desk::wrong_with($world, $article, $made->{working});
	return { status => $wrong eq 'title' ? 422 : 409, error => $wrong } if defined $wrong;
	return { status => 409 } if Model::Desk::is_refused($article, $made, @{$op}{qw(button person)});
	my $saved = Model::Desk::store($world, $article, $made, $op->{person}, $now);
	# What readers have is asked about first.
	return done($world, $op, { status => 303, to => path($world, $op, '/trash') })
		if $op->{button} eq 'Move to trash' && $article->{state} eq 'published';
	Model::Desk::act($article, @{$op}{qw(button person)});
	my ($leads, $notice) = Model::Desk::leads($op->{button}, $made, $saved,
		$op->{values}{comment} ne '');
	my $path = $op->{button} eq 'Move to trash' ? path($world, { %$op, article => undef },
		'/articles') : path($world, $op, $leads);
	return done($world, $op, { status => 303, to => noticed($path, $notice) });
}

# A clash: the page of the two wordings has the form again.
sub clashed {
	my ($world, $op, $article, $clash) = @_;
	@{ $world->{tabs}{ $op->{tab} } }{qw(over form values clash pressed)} = (
		Model::Desk::key_of($article->{working}), $op->{next}, { %{ $op->{values} } }, $clash,
		$op->{button} =~ /^(?:Preview|Check|Add comment)$/ ? 'Save' : $op->{button})
		if !$op->{again};
	return { status => 409, heading => 'Two wordings', clash => [sort
		(map { "field-$_" } @{ $clash->{fields} }), map { "place-$_" } 1 .. $clash->{places}] };
}

# {name}: the model's name of the new article.
sub press_new {
	my ($world, $op, $tab, $now) = @_;
	my $answer = before($world, $op, 'write', $op->{button} eq 'Publish' ? 'publish' : ());
	my $values = $op->{values};
	return { status => 422 } if $values->{title} eq ''
		&& (!$answer || $answer->{status} == 409);
	return $answer if $answer;
	my %made = (working => Model::Editor::snapshot(language => $values->{language},
		sections => Model::Text::sections_of($values->{text}) // []), url => '');
	Model::Desk::set_field(\%made, $_, $values->{$_}) for grep { $values->{$_} ne '' }
		qw(title slug description language section author author-address tags noindex
		published-address);
	my $working = $made{working};
	my $article = { name => $op->{name}, workspace => $op->{workspace} };
	return { status => 409 } if $working->{slug} ne ''
		&& Model::Desk::held($world, $article, $working->{slug});
	$working->{slug} = Model::Editor::derived_slug($world, $op->{workspace}, $working->{title})
		if $working->{slug} eq '';
	$article = Model::Editor::add($world, $op->{name}, $op->{workspace}, $now, $working);
	$article->{url} = $made{url};
	$article->{saves} = [[$op->{person}, $working->{title}]];
	$article->{known}{ Model::Desk::key_of($working) } = 1;
	Model::Desk::act($article, @{$op}{qw(button person)});
	my ($leads, $notice) = Model::Desk::leads($op->{button}, \%made, 1, 0);
	return done($world, $op, { status => 303, to => bless { article => $article,
		before => path($world, $op, '/articles/'),
		behind => noticed($leads, $notice) }, 'Model::Console::New' });
}

# An address that names a new article.
sub Model::Console::New::fits {
	my ($want, $world, $got, $path) = @_;
	my ($id) = ($got // '') =~ m{^\Q$want->{before}\E([0-9a-f-]{36})\Q$want->{behind}\E$};
	return "$path: predicted $want->{before}ID$want->{behind}, got " . ($got // 'none')
		if !defined $id;
	return Model::Match::match($world, Model::Editor::id_of($want->{article}), $id, $path);
}

# The page "Publish".
sub press_publish {
	my ($world, $op, $tab, $now) = @_;
	my $answer = before($world, $op, 'publish');
	return $answer if $answer;
	my $article = article_of($world, $op);
	return { status => 409 } if $tab->{seen} ne Model::Desk::seen_of($world, $article)
		|| $article->{state} eq 'deleted'
		|| $op->{button} eq 'Publish' && Model::Editor::todos($article->{working});
	Model::Editor::publish($world, $article, $now);
	$article->{handed} = undef;
	return done($world, $op, { status => 303, to => path($world, $op, '/published') });
}

# "Restore" of an article in the trash; "Delete for good" is an act of the list.
sub press_trash {
	my ($world, $op) = @_;
	my $answer = before($world, $op, 'publish');
	return $answer if $answer;
	my $article = article_of($world, $op);
	return { status => 409 } if $article->{state} ne 'deleted';
	$article->{state} = 'draft';
	return done($world, $op, { status => 303, to => noticed(path($world, $op, ''), 'restored') });
}

# ---- people

# {person, place, role}: `galley person set`; {person, verb}: disable and enable.
sub do_role {
	my ($world, $op) = @_;
	my $places = $world->{persons}{ $op->{person} }{places};
	delete $places->{ $op->{place} };
	$places->{ $op->{place} } = $op->{role} if $op->{role} ne 'none';
	$world->committed;
	Model::Dates::suspend_of($world, $op->{person});
	return { exit => 0, json => some({ name => $op->{person} }) };
}

sub do_person_state {
	my ($world, $op) = @_;
	my $person = $world->{persons}{ $op->{person} };
	$person->{disabled} = $op->{verb} eq 'disable' ? 1 : 0;
	$person->{session} = 0 if $person->{disabled};
	$world->committed;
	Model::Dates::suspend_of($world, $op->{person});
	return { exit => 0, json => some({ name => $op->{person} }) };
}

sub do_sign_in {
	my ($world, $op) = @_;
	$world->{persons}{ $op->{person} }{session} = ++$world->{sessions};
	return {};
}

# ---- what the tool tells

# {article}: `galley article show`.
sub do_show {
	my ($world, $op) = @_;
	my $article = $world->{articles}{ $op->{article} }
		// return { exit => 1, json => anything() };
	my $date = $article->{date};
	return { exit => 0, json => some({ id => Model::Editor::id_of($article),
		title => $article->{working}{title}, slug => $article->{working}{slug},
		language => $article->{working}{language}, status => $article->{state},
		changed => Model::Desk::has_changes($article) ? JSON::PP::true : JSON::PP::false,
		unfinished => Model::Editor::todos($article->{working}), version => $article->{version},
		published_url => length $article->{url} ? $article->{url} : undef,
		created_at => shown($article->{created}),
		publish_at => $date ? Model::Time::micro_text($date->{at}) : undef,
		$date && $date->{suspended} ? (publish_suspended => like(qr/\w/)) : () }) };
}

1;
