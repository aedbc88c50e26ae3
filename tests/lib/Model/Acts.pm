# Draws what people do in the console: they open pages, type, press buttons, press them twice,
# and press them when somebody else was faster or their role was changed. Between these acts are
# steps of Model::Steps: the operator's commands, and requests of sites.
#
# The client's memory has `tabs`: the names of pages that are open, with their person.
package Model::Acts;

use strict;
use warnings;

use Model::Asks qw(ask);
use Model::Console ();
use Model::Desk ();
use Model::Editor ();
use Model::Steps qw(command);
use Model::Text qw(text_of sections_of);
use Model::Time qw(micro_text);

our @ISA = qw(Model::Steps);

my @kinds = (go_on_with => 46, open_page => 22, again => 6, people => 7, date_comes => 3,
	ask_something => 4, ask_again => 3, edit => 6, settings => 2, suspend => 1);
my @faults = qw(db-begun db-before-commit db-after-commit before-answer generation-odd
	generation-even change-stamped);

sub draw {
	my ($random, $world, $client, $now) = @_;
	my $self = bless { random => $random, world => $world, client => $client, now => $now },
		__PACKAGE__;
	for (1 .. 60) {
		my $kind = $random->weighted(Model::Steps::reverse_pairs(@kinds));
		my @ops = grep { defined } $self->$kind;
		next if !@ops;
		my $fault = $ops[0]{do} eq 'press' && $random->chance(12)
			? join ':', $random->one(@faults), 1, 'kill' : undef;
		return { ops => \@ops, fault => $fault };
	}
	die 'no act can be drawn';
}

# ---- persons and pages

sub person {
	my ($self) = @_;
	return $self->{random}->one(sort keys %{ $self->{world}{persons} });
}

# Returns a workspace: most times one in which the person has a role.
sub workspace_of {
	my ($self, $person) = @_;
	my $world = $self->{world};
	my @all = sort keys %{ $world->{workspaces} };
	my @own = grep { %{ Model::Console::rights($world, $person, $_) } } @all;
	return $self->{random}->one($self->{random}->chance(93) && @own ? @own : @all);
}

sub say_of { my ($op, @words) = @_; $op->{say} = join ' ', $op->{person}, @words; return $op }

sub open_page {
	my ($self) = @_;
	my $random = $self->{random};
	my $world = $self->{world};
	my $person = $self->person;
	return { do => 'sign_in', person => $person, say => "$person signs in" }
		if !$world->{persons}{$person}{session} && !$world->{persons}{$person}{disabled}
		&& $random->chance(80);
	my $workspace = $self->workspace_of($person);
	my $kind = $random->weighted(9 => 'editor', 2 => 'new', 4 => 'publish', 3 => 'history',
		5 => 'list');
	my %of = (do => 'open', person => $person, workspace => $workspace, kind => $kind,
		tab => ++$self->{client}{made}, form => ++$self->{client}{made});
	if ($kind =~ /^(?:editor|publish|history)$/) {
		# Many people look at few articles: so they meet.
		my @here = grep { defined $world->article_id($_->{name}) }
			$world->articles_of($workspace);
		@here = grep { $_->{state} ne 'deleted' } @here if $random->chance(75);
		@here = @here[0 .. 2] if @here > 3 && $random->chance(80);
		@here = map { $world->{articles}{$_} } sort keys %{ $world->{articles} }
			if $random->chance(3);
		my $article = $random->one(@here) // return;
		$of{article} = $article->{name};
	}
	$of{list} = $random->one(qw(all all draft review scheduled published changed trash trash))
		if $kind eq 'list';
	return say_of(\%of, "opens tab $of{tab}: $kind", $workspace, $of{article} // $of{list} // '');
}

# ---- presses

# Presses a button on a page that is open.
sub go_on_with {
	my ($self) = @_;
	my $random = $self->{random};
	my $name = $random->one(@{ $self->{client}{tabs} }) // return;
	my $tab = $self->{world}{tabs}{$name} // return;
	my %op = (do => 'press', tab => $name, was => { %$tab }, next => ++$self->{client}{made},
		map { $_ => $tab->{$_} } qw(person workspace kind article form));
	return if $tab->{kind} eq 'editor' && !$self->knows_base($tab);
	my $press = $self->can("press_$tab->{kind}") // return;
	my $op = $press->($self, \%op, $tab) // return;
	$op->{sent} = join "\0", $op->{button}, Model::Desk::key_of({
		map { $_ => $op->{$_} } qw(values choices chosen date_at unfinished) });
	return say_of($op, "presses '$op->{button}' in tab $name", map { "$_=$op->{given}{$_}" =~ s/\n/|/gr }
		sort keys %{ $op->{given} });
}

# Whether the console knows what the form was made from. What another way made and nobody saved is
# lost with the next change; what is done then is tested by
# tests/console/two-people-edit-one-article.t.
sub knows_base {
	my ($self, $tab) = @_;
	my $article = $self->{world}{articles}{ $tab->{article} };
	return !$article || !$tab->{snapshot} || Model::Desk::base_of($article, $tab)->{known};
}

# Sends a form again as it was sent before; `given` is what is filled in.
sub again {
	my ($self) = @_;
	my $op = $self->{random}->one(@{ $self->{client}{pressed} }) // return;
	return if $op->{kind} eq 'editor' && !$self->knows_base($op->{was});
	return { %$op, again => 1, say => "again: $op->{say}" };
}

sub press_editor {
	my ($self, $op, $tab) = @_;
	my $random = $self->{random};
	return $self->press_clash($op, $tab) if $tab->{clash};
	my @buttons = $self->shown($tab);
	my $button = $random->one((grep { $_ eq 'Save' } @buttons) x 6, @buttons) // return;
	if ($button eq 'Restore') {
		return { %$op, kind => 'trash', button => $button, given => {} };
	}
	my %given;
	my $may = Model::Console::rights($self->{world}, $op->{person}, $op->{workspace});
	my $article = $self->{world}{articles}{ $op->{article} };
	%given = $self->typed($tab, Model::Desk::readonly($may, $article)) if $tab->{may}{write};
	$given{comment} = 'Look at this.' if $random->chance(20) || $button eq 'Add comment';
	return { %$op, button => $button, given => \%given,
		values => { %{ $tab->{values} }, comment => '', %given } };
}

# Returns the buttons that the page of a tab has.
sub shown { my ($self, $tab) = @_; return @{ $tab->{buttons} } }

# Chooses a wording for each place that clashes.
sub press_clash {
	my ($self, $op, $tab) = @_;
	my $random = $self->{random};
	my $clash = $tab->{clash};
	my %fields = map { $_ => $random->one('theirs', 'mine') } @{ $clash->{fields} };
	my @places = map { $random->one('theirs', 'mine', 'mine') } 1 .. $clash->{places};
	return { %$op, button => $tab->{pressed}, label => 'Save', values => $tab->{values},
		choices => { fields => \%fields, places => \@places }, given => {
		(map { ("field-$_" => $fields{$_}) } keys %fields),
		map { ("place-$_" => $places[$_ - 1]) } 1 .. @places } };
}

# Returns what somebody types over the values of a form.
sub typed {
	my ($self, $tab, @readonly) = @_;
	my $random = $self->{random};
	my %readonly = map { $_ => 1 } @readonly;
	my %given;
	for (1 .. 1 + $random->below(2)) {
		my ($field, $value) = @{ $random->one(
			(['text', $self->edited($tab->{values}{text})]) x 8,
			(['title', $self->title(2) . ' ' . $random->below(100)]) x 3,
			['title', ''], ['description', $self->text], ['section', $random->one('', 'Soil')],
			['author', $random->one('', 'Dana')], ['noindex', $random->below(2)],
			['tags', $random->one('', 'one', 'one, two')],
			['slug', $random->one('same', 'slug-' . $random->below(50))],
			['published-address', $random->one('', 'https://www.example.com/u1')],
			['date', $random->one('2025-01-02', '2025-01-03')]) };
		$given{$field} = $value if !$readonly{$field} && !exists $given{$field};
	}
	return %given;
}

# Changes a text in one place. Words get a number, so that no paragraph is there twice.
sub edited {
	my ($self, $text) = @_;
	my $random = $self->{random};
	my $sections = sections_of($text);
	my $new = sub { $self->text =~ s/\.$/' ' . ++$self->{client}{words} . '.'/er };
	my $do = @$sections ? $random->weighted(8 => 'change', 3 => 'add', 2 => 'remove', 2 => 'todo',
		2 => 'section') : 'section';
	my $section = $random->one(@$sections);
	my $paragraphs = $section ? $section->{paragraphs} : [];
	my $at = $random->below(@$paragraphs || 1);
	$do = 'add' if $do =~ /^(?:change|remove)$/ && !@$paragraphs || $do eq 'remove' && @$paragraphs < 2;
	if ($do eq 'change') { $paragraphs->[$at] = $new->() }
	elsif ($do eq 'add') { splice @$paragraphs, $at, 0, $new->() }
	elsif ($do eq 'remove') { splice @$paragraphs, $at, 1 }
	elsif ($do eq 'todo') {
		if (defined $section->{todo}) { delete $section->{todo} }
		else { $section->{todo} = $new->() }
	} else {
		push @$sections, { heading => $self->title(2) . ' ' . ++$self->{client}{words},
			paragraphs => [$new->()] };
	}
	return text_of($sections);
}

sub press_new {
	my ($self, $op, $tab) = @_;
	my $random = $self->{random};
	my @buttons = $self->shown($tab);
	my $button = $random->one((grep { $_ eq 'Save' } @buttons) x 4, @buttons) // return;
	my $may = Model::Console::rights($self->{world}, $op->{person}, $op->{workspace});
	my %given = (title => $self->title(2) . ' ' . $random->below(100));
	%given = (%given, $self->typed($tab, 'date', Model::Desk::readonly($may, undef)));
	return { %$op, button => $button, given => \%given, name => "new-$op->{tab}",
		values => { %{ $tab->{values} }, comment => '', %given } };
}

sub press_publish {
	my ($self, $op, $tab) = @_;
	my $random = $self->{random};
	my @buttons = $self->shown($tab);
	my $button = $random->one((grep { /^Publish(?: unfinished)?$/ } @buttons) x 2, @buttons)
		// return;
	return { %$op, button => $button, given => {} } if $button =~ /^Publish(?: unfinished)?$/;
	return { %$op, kind => 'date', button => $button, given => {} } if $button =~ /^Cancel/;
	my $minute = 60_000_000;
	my $at = int($self->{now} / $minute) * $minute + $minute * $random->one(2, 2, 3, -5);
	my ($day, $time) = micro_text($at) =~ /^(.{10})T(.{5})/;
	return { %$op, kind => 'date', button => $button, date_at => $at,
		unfinished => $tab->{todos} ? 1 : 0, given => { Day => $day, Time => $time,
		$tab->{todos} ? ('Publish it unfinished' => 1) : () } };
}

sub press_list {
	my ($self, $op, $tab) = @_;
	my $random = $self->{random};
	my $button = $random->one($self->shown($tab)) // return;
	return { %$op, button => $tab->{looked}, label => $button, looked => 1, chosen => $tab->{chosen},
		given => {} } if $tab->{looked};
	my @listed = grep { defined $self->{world}->article_id($_) } @{ $tab->{listed} };
	my @chosen = grep { $random->chance(40) } @listed;
	@chosen = $random->one(@listed) // return if !@chosen;
	return { %$op, button => $button, list => $tab->{list}, chosen => \@chosen,
		given => { chosen => [map { $self->{world}->article_id($_) } @chosen] } };
}

# ---- around them

# Changes a role, or disables and enables a person.
sub people {
	my ($self) = @_;
	my $random = $self->{random};
	my $world = $self->{world};
	my $person = $self->person;
	my $of = $world->{persons}{$person};
	if ($of->{disabled} || $random->chance(15)) {
		my $verb = $of->{disabled} ? 'enable' : 'disable';
		return command('person_state', ['person', $verb, $of->{email}], person => $person,
			verb => $verb);
	}
	my ($place) = sort keys %{ $of->{places} };
	$place //= $of->{first};
	return if $place eq 'instance';
	my $role = $random->one(grep { $_ ne ($of->{places}{$place} // 'none') }
		qw(writer reviewer editor owner none));
	return command('role', ['person', 'set', $of->{email}, $place =~ /^A/ ? '--account'
		: '--workspace', $self->id($place =~ /^A/ ? 'account' : 'workspace', $place),
		'--role', $role], person => $person, place => $place, role => $role);
}

# The clock goes to the next dates, and the task runner works.
sub date_comes {
	my ($self) = @_;
	return { do => 'tasks', say => 'task-runner --once' } if $self->{random}->chance(60);
	return Model::Steps::clock_step(100);
}

sub suspend {
	my ($self) = @_;
	return $self->account_verb($self->{random}->one(qw(suspend resume resume)),
		$self->{random}->one('A0', 'A1'));
}

1;
