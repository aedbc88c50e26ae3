# Plays a seed of the console: people with browsers, the operator and sites act on one instance,
# and each answer is compared with the model's prediction (Model::Play).
#
#	my $visit = Model::Visit->new($galley);
#	my $wrong = $visit->seed(7, 40);
#	$visit->{counts};              # also opens, presses, repeats, merges, clashes
#
# After each press the API, `galley article show` and the History are asked what they say now.
package Model::Visit;

use strict;
use warnings;

use Galley::Console;
use Galley::Process qw(run_program);
use Model::Acts;
use Model::Asks qw(ask);
use Model::Match qw(match describe);
use Model::Play;
use Model::Steps qw(command);

our @ISA = qw(Model::Play);

my %places = (Ada => [W0 => 'editor'], Ben => [W0 => 'writer'], Cleo => [W0 => 'reviewer'],
	Dora => [A0 => 'owner'], Emil => [W0 => 'editor'], Fay => [W2 => 'editor'],
	Gil => [A1 => 'owner'], Opal => [instance => 'operator']);
my %all_scopes = (W0 => 'K0', W1 => 'K5', W2 => 'K7', W3 => 'K9');

sub new {
	my ($class, $galley) = @_;
	my $self = Model::Play::new($class, $galley);
	my $console = $self->{console} = Galley::Console->of($galley, 'https://cms.example.net');
	my $world = $self->{beginning};
	for my $name (sort keys %places) {
		my ($place, $role) = @{ $places{$name} };
		my $person = $self->{people}{$name} = $console->person(name => $name, role => $role,
			$place eq 'instance' ? () : $place =~ /^A/
			? (account => $world->{texts}{uuid}{"account $place"})
			: (workspace => $world->{texts}{uuid}{"workspace $place"}));
		$self->{began}{$name} = $self->signed_in($person);
		$world->{persons}{$name} = { name => $name, email => $person->{email}, session => ++$world->{sessions},
			disabled => 0, first => $place, places => { $place => $role } };
	}
	$self->copy_files($galley->home, $self->kept);
	$galley->database_kept;
	return $self;
}

# Returns a browser whose session outlives the longest run.
sub signed_in {
	my ($self, $person) = @_;
	my $browser = $self->{console}->as($person);
	$self->{console}->sql("UPDATE session SET ends_at = ends_at + 864000000000"
		. " WHERE person_id = $person->{id}");
	return $browser;
}

# What is important asks who it is, ten minutes after it was proved; a run may be slower.
sub prove {
	my ($self, $op) = @_;
	$self->{console}->sql('UPDATE session SET proved_at = ' . int($self->now)
		. " WHERE person_id = $self->{people}{ $op->{person} }{id}")
		if $op->{button} eq 'Delete for good';
}

# ---- a seed

sub seed {
	my ($self, $seed, $steps) = @_;
	$self->{browsers} = { %{ $self->{began} } };
	$self->begin_seed;
	$self->step({ ops => [Model::Steps::configure(requests_per_minute => 'count')] });
	for my $number (1 .. $steps) {
		my $step = Model::Acts::draw(Model::Random->new($seed, $number), $self->{worlds}[0],
			$self->{client}, $self->now);
		my $wrong = $self->step($step);
		$wrong //= $self->step({ ops => [$self->{killed}] }) if $self->{killed};
		$wrong //= $self->look_around($step->{ops}[0], $number);
		return "seed $seed, step $number: $wrong" if defined $wrong;
	}
	my $wrong = $self->verify_finds;
	return defined $wrong ? "seed $seed, after $steps steps: $wrong" : undef;
}

# Asks what the others say of the article that a press has changed.
sub look_around {
	my ($self, $op, $number) = @_;
	return undef if $op->{do} !~ /^(?:press|tasks)$/;
	my $world = $self->{worlds}[0];
	my $name = $op->{name} // $op->{article};
	my $workspace = $op->{workspace} // 'W0';
	my $key = $all_scopes{$workspace};
	my %key = (key => $key, secret => $world->{texts}{key}{$key});
	my $id = defined $name ? $world->article_id($name) : undef;
	my @ops;
	if (defined $id) {
		my $detail = ask('article', %key, id => $id, parameters => [['drafts', 'true']]);
		my $tag = $self->{client}{etags}{ $detail->{target} };
		push @ops, command('show', ['article', 'show', $id], article => $name),
			$tag ? ask('article', %key, id => $id, parameters => [['drafts', 'true']],
			tags => $tag) : $detail;
	}
	push @ops, ask('sync', %key, parameters => [['limit', 100]]) if $number % 2;
	push @ops, ask('articles', %key, parameters => [['drafts', 'true'], ['limit', 100]])
		if !defined $id || $number % 3 == 0;
	push @ops, { do => 'open', person => 'Opal', workspace => $workspace, article => $name,
		kind => 'history', tab => 'history', form => 0, say => "Opal reads the history of $name" }
		if defined $id && $number % 2 == 0;
	for my $op (@ops) {
		my $wrong = $self->step({ ops => [$op] });
		return $wrong if defined $wrong;
	}
	return undef;
}

# ---- doing

sub run {
	my ($self, $op, $fault) = @_;
	my %env = (GALLEY_CLOCK => $self->{clock}, $fault ? (GALLEY_FAULT => $fault) : ());
	return { %{ run_program([$self->{galley}->programs . '/bin/task-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', HOME => '/', %env },
		as => [$self->{galley}->owner_ids]) } } if $op->{do} eq 'tasks';
	if ($op->{do} eq 'sign_in') {
		$self->{browsers}{ $op->{person} } = $self->signed_in($self->{people}{ $op->{person} });
		return {};
	}
	return Model::Play::run($self, $op, $fault) if $op->{do} !~ /^(?:open|press)$/;
	my $browser = $self->{browsers}{ $op->{person} };
	$browser->{env} = \%env;
	$self->prove($op) if $op->{do} eq 'press';
	my $page = eval { $op->{do} eq 'open' ? $browser->request('GET', $self->address($op))
		: $browser->post(@{ $self->wire($op) }, whole => 1) };
	return { signal => 9 } if !$page && $fault && $@ =~ /signal 9/;
	die "$op->{say}: $@" if !$page;
	my $answer = { page => $page, exit => 0, signal => 0, status => $page->status,
		err => $page->{err}, %{ read_page($op, $page) } };
	$self->{counts}{ $op->{do} eq 'open' ? 'opens' : 'presses' }++;
	$self->{counts}{repeats}++ if $op->{again};
	$self->{counts}{clashes}++ if @{ $answer->{clash} };
	$self->{counts}{merges}++ if ($answer->{to} // '') =~ /notice=merged/;
	return $answer;
}

# Returns where a page is, below the console's root.
sub address {
	my ($self, $op) = @_;
	my $world = $self->{worlds}[0];
	my $path = "/$world->{texts}{uuid}{\"workspace $op->{workspace}\"}/articles";
	return "$path/new" if $op->{kind} eq 'new';
	return $path . ($op->{list} eq 'all' ? '?' : "?status=$op->{list}&") . 'many=1'
		if $op->{kind} eq 'list';
	return "$path/" . $world->article_id($op->{article}) . ($op->{kind} eq 'editor' ? ''
		: "/$op->{kind}");
}

# Returns what a press sends, [ADDRESS, FIELDS]. It is kept: the same form is sent again so.
sub wire {
	my ($self, $op) = @_;
	return $op->{wire} if $op->{wire};
	my $page = $self->{client}{pages}{ $op->{tab} };
	my ($form, $sent) = $page->sends($op->{label} // $op->{button}, %{ $op->{given} });
	return $op->{wire} = [$form->{action} // $page->{address}, $sent];
}

# Returns what the model predicts of a page.
sub read_page {
	my ($op, $page) = @_;
	my $root = $page->browser->root;
	my %read = (clash => []);
	# The number of a form is another one each time.
	$read{to} = ($page->header('location') // '') =~ s/^\Q$root\E//r =~ s/\bdone=\K[0-9a-f]{64}$/NUMBER/r
		if $page->status == 303;
	return \%read if $page->body eq '' || $page->status =~ /^40[34]$/;
	$read{heading} = $page->heading;
	my @forms = grep { $_->{method} eq 'post' && ($_->{action} // '') !~ /sign-out$/ } $page->forms;
	my %label = map { $_->{label} => 1 } grep { ($_->{name} // '') !~ /^part/ }
		map { @{ $_->{buttons} } } @forms;
	$read{buttons} = [sort keys %label];
	my %radio = map { $_->{name} => 1 } grep { $_->{type} eq 'radio' } map { @{ $_->{fields} } } @forms;
	$read{clash} = [sort keys %radio];
	$read{values} = { map { $_->{name} => $_->{type} eq 'checkbox' ? $_->{checked} : $_->{value} }
		grep { defined $_->{name} } map { @{ $_->{fields} } } @forms };
	my @cells = map { Galley::Console::Page::words($_->{text}) } $page->all('td');
	$read{rows} = [sort map { "$cells[2 * $_]: $cells[2 * $_ + 1]" } 0 .. @cells / 2 - 1]
		if $op->{kind} eq 'history';
	my %seen;
	$read{rows} = [grep { !$seen{$_}++ } map { $_->[1] =~ m{/articles/([0-9a-f-]{36})$} }
		$page->links] if $op->{kind} eq 'list';
	return \%read;
}

# ---- judging

sub differs {
	my ($self, $world, $want, $got) = @_;
	return Model::Play::differs($self, $world, $want, $got) if !$got->{page};
	return "predicted status $want->{status}, got $got->{status}: " . join ' | ', map {
		substr $_ // '', 0, 300 } $got->{page}->summary, $got->{page}->text
		if $want->{status} != $got->{status};
	for my $part (grep { exists $want->{$_} } qw(to heading buttons clash rows)) {
		my $wrong = match($world, $want->{$part}, $got->{$part}, $part);
		return $wrong if defined $wrong;
	}
	for my $field (sort keys %{ $want->{values} // {} }) {
		next if !defined $want->{values}{$field};
		my $wrong = match($world, "$want->{values}{$field}", ($got->{values}{$field} // '') . '', $field);
		return $wrong if defined $wrong;
	}
	return undef;
}

# Keeps the page of a tab, and what was sent.
sub learn {
	my ($self, $op, $got) = @_;
	return Model::Play::learn($self, $op, $got) if !$got->{page};
	my $client = $self->{client};
	$client->{pages}{ $op->{tab} } = $got->{page} if !$op->{again}
		&& ($op->{do} eq 'open' ? $got->{status} == 200
		: @{ $got->{clash} } || $got->{status} == 200 && $op->{kind} eq 'list' && !$op->{looked});
	if ($op->{do} eq 'open') {
		Model::Play::keep($client->{tabs}, 8, $op->{tab})
			if $got->{status} == 200 && $op->{kind} ne 'history';
	} elsif (!$op->{again} && ($op->{kind} ne 'list' || $op->{looked} || $got->{status} != 200)) {
		Model::Play::keep($client->{pressed}, 6, $op);
	}
}

1;
