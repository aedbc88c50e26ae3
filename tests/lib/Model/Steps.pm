# Draws the steps of a seed.
#
# A step is {ops => [OPERATION...], fault}: one operation, or several at once. An
# operation holds in `do` its name in the model, in `words`, `target` or `fields` what is run,
# sent or set, and in `say` a text for people. Steps choose from the world and from the
# client's memory: {asked, etags, cursors, pairs, plan} (Model::Play).
package Model::Steps;

use strict;
use warnings;

use Exporter 'import';

use Model::Asks ();
use Model::Plans ();

our @ISA = qw(Model::Asks Model::Plans);
our @EXPORT_OK = qw(draw limits command markdown import_of key_create);

my @words = qw(bees walls gardens compost water winter light seeds paper roads maps
	rivers bread stone wool);
my @kinds = (
	ask_something => 38, ask_again => 18, bad_ask => 7, edit => 17, settings => 5, credits => 3,
	access => 4, order => 12, job_create => 3, run => 8, cancel => 2, conf => 3, clock => 7,
	at_once => 6, consume => 3, plan => 12,
);
my @read_faults = qw(before-answer db-begun kept-write kept-written kept-counted key-snapshot);
my @write_faults = qw(db-begun db-before-commit db-after-commit generation-odd
	generation-before-even generation-even change-stamped vfs-write vfs-sync);
my @order_faults = qw(order-looked-up job-inserted ledger-added job-reserved
	before-answer);
my @run_faults = qw(job-claim-written runner-claimed provider-started runner-result
	provider-step-read job-article-inserted job-article-published job-settled
	job-completed job-refunded job-failed runner-failed runner-finished runner-house);

# Returns the step that the random numbers choose; `now` is the time of the instance's clock.
sub draw {
	my ($random, $world, $client, $now) = @_;
	my $self = bless { random => $random, world => $world, client => $client,
		now => $now }, __PACKAGE__;
	for (1 .. 40) {
		my $planned = @{ $client->{plan} };
		my $kind = $planned ? 'go_on' : $random->weighted(reverse_pairs(@kinds));
		my @ops = grep { defined } $self->$kind;
		next if !@ops;
		my $fault = $random->chance($planned ? 8 : 25) ? $self->fault($ops[-1]) : undef;
		return { ops => \@ops, fault => $fault };
	}
	die "no step can be drawn";
}

sub reverse_pairs {
	my @pairs;
	while (my ($name, $weight) = splice @_, 0, 2) { push @pairs, $weight, $name }
	return @pairs;
}

# Returns the fault that kills the operation, if there is a process to kill.
sub fault {
	my ($self, $op) = @_;
	my $random = $self->{random};
	# An order without a key is not repeated after a kill: it would be a second order.
	return undef if $op->{do} =~ /^(?:clock|conf|consume|job_create)$/;
	my @places = $op->{do} eq 'ask' ? @read_faults : @write_faults;
	push @places, @order_faults if $op->{do} eq 'order';
	push @places, @run_faults, @run_faults if $op->{do} eq 'run';
	return join ':', $random->one(@places), $random->one(1, 1, 1, 2,
		$op->{do} eq 'run' ? (2, 3) : ()), 'kill';
}

# ---- operations; requests are in Model::Asks

sub command { my ($do, $words, %of) = @_;
	return { do => $do, words => $words, say => "galley @$words", %of } }

# ---- choices

sub names { my ($of) = @_; return sort keys %$of }

# Returns a key whose text is known, most times one that has the scope.
sub key {
	my ($self, $scope) = @_;
	my $world = $self->{world};
	my @known = grep { defined $world->{texts}{key}{$_} } names($world->{keys});
	my @fit = grep { $world->{keys}{$_}{scopes}{$scope} } @known;
	my @ending = grep { $world->{keys}{$_}{expires} } @fit;
	@fit = @ending if @ending && $self->{random}->chance(20);
	my $name = $self->{random}->one($self->{random}->chance(92) && @fit ? @fit : @known);
	return (key => $name, secret => $world->{texts}{key}{$name});
}

# Returns an article whose id is known.
sub article {
	my ($self, @states) = @_;
	my $world = $self->{world};
	my %state = map { $_ => 1 } @states;
	return $self->{random}->one(map { $world->{articles}{$_} }
		grep { defined $world->article_id($_)
			&& (!@states || $state{ $world->{articles}{$_}{state} }) }
		names($world->{articles}));
}

sub workspace { my ($self) = @_; return $self->{random}->one(names($self->{world}{workspaces})) }
sub account { my ($self) = @_; return $self->{random}->one(names($self->{world}{accounts})) }
sub id { my ($self, $kind, $name) = @_; return $self->{world}{texts}{uuid}{"$kind $name"} }

sub title {
	my ($self, $least) = @_;
	my $random = $self->{random};
	my @title = map { $random->one(@words) } 1 .. $least + $random->below(5);
	return join ' ', ucfirst $title[0], $random->chance(30) ? ('&') : (),
		@title[1 .. $#title];
}

sub text {
	my ($self) = @_;
	my $random = $self->{random};
	return join(' ', map { $random->one(@words, 'R&D', "\x{e9}t\x{e9}", 'a "word"') }
		1 .. 3 + $random->below(9)) . '.';
}

# ---- the operator

sub document {
	my ($self, $name) = @_;
	my $random = $self->{random};
	my @sections = map { { heading => $_ ? $self->title(2) . " $_" : '',
		paragraphs => [map { $self->text } 1 .. 1 + $random->below(2)],
		$random->chance(20) ? (todo => $self->text) : () } }
		($random->chance(50) ? 0 : ()), 1 .. $random->below(4);
	return { title => $self->title(2) . ' ' . ($name =~ /(\d+)/)[0] . $random->below(100),
		description => $random->chance(50) ? $self->text : '', sections => \@sections,
		section => $random->one('', 'Home & garden'), tags => $random->one([], ['one'],
			['one', 'two & three']), noindex => $random->chance(10) ? 1 : 0 };
}

# Returns a document as the text of the file that is imported.
sub markdown {
	my ($document) = @_;
	my $quoted = sub { my $text = $_[0]; $text =~ s/(["\\])/\\$1/g; return qq("$text") };
	my @lines = ('---', 'title: ' . $quoted->($document->{title}));
	push @lines, "slug: $document->{slug}" if defined $document->{slug};
	push @lines, "date: $document->{date}" if defined $document->{date};
	push @lines, "$_: " . $quoted->($document->{$_})
		for grep { $document->{$_} ne '' } qw(description section);
	push @lines, 'tags: [' . join(', ', map { $quoted->($_) } @{ $document->{tags} }) . ']'
		if @{ $document->{tags} };
	push @lines, 'noindex: true' if $document->{noindex};
	push @lines, '---', '';
	for my $section (@{ $document->{sections} }) {
		push @lines, "## $section->{heading}", '' if $section->{heading} ne '';
		push @lines, map { ($_, '') } @{ $section->{paragraphs} };
		push @lines, '> [!TODO]', "> $section->{todo}", '' if defined $section->{todo};
	}
	my $text = join "\n", @lines;
	utf8::encode($text);
	return $text;
}

# Returns `galley article import` of a file that Model::Play writes.
sub import_of {
	my ($name, $workspace, $id, $publish, $document) = @_;
	return command('import', ['article', 'import', '--workspace', $id,
		$publish ? '--publish' : (), "\@$name.md"], name => $name,
		workspace => $workspace, publish => $publish, document => $document);
}

sub edit {
	my ($self) = @_;
	my $random = $self->{random};
	my $do = $random->weighted(5 => 'import', 3 => 'import_again', 6 => 'publish',
		4 => 'set', 3 => 'unpublish', 3 => 'delete', 2 => 'undelete', 1 => 'purge');
	return $self->new_import if $do eq 'import';
	return $self->import_again if $do eq 'import_again';
	return $self->article_set if $do eq 'set';
	return command('purge', [qw(article purge --older-than 0)]) if $do eq 'purge';
	if ($do eq 'publish' && $random->chance(30)) {
		# An unfinished article would be published seldom otherwise.
		my ($left) = grep { Model::Editor::todos($_->{working}) && $_->{state} ne 'deleted'
			&& defined $self->{world}->article_id($_->{name}) }
			map { $self->{world}{articles}{$_} } names($self->{world}{articles});
		return $self->to_article(publish => $left, $random->chance(80)
			? 'unfinished' : ()) if $left;
	}
	my $article = $self->article($random->chance(10) ? () : $do eq 'unpublish'
		? 'published' : $do eq 'undelete' ? 'deleted' : qw(draft published)) // return;
	return $self->to_article($do => $article, $do ne 'publish' ? () : grep {
		$random->chance(60) } qw(unfinished again));
}

sub to_article {
	my ($self, $do, $article, @switches) = @_;
	return command($do, ['article', $do, (map { "--$_" } @switches),
		$self->id(article => $article->{name})], article => $article->{name},
		map { $_ => 1 } @switches);
}

sub new_import {
	my ($self) = @_;
	my $random = $self->{random};
	my $workspace = $self->workspace;
	my $number = ++$self->{client}{texts};
	my $document = $self->document("text-$number");
	$document->{date} = $random->one('2025-01-02', '2025-01-03', '2024-05-06')
		if $random->chance(50);
	$document->{slug} = $random->one('same', 'bees-walls') if $random->chance(8);
	return import_of("text-$number", $workspace, $self->id(workspace => $workspace),
		$random->chance(60), $document);
}

sub import_again {
	my ($self) = @_;
	my $article = $self->article // return;
	return if $article->{name} !~ /^text-/;
	my $document = $self->document($article->{name});
	$document->{slug} = $article->{working}{slug};
	return import_of($article->{name}, $article->{workspace},
		$self->id(workspace => $article->{workspace}), $self->{random}->chance(60),
		$document);
}

sub article_set {
	my ($self) = @_;
	my $random = $self->{random};
	my $article = $self->article // return;
	my ($name, $field, $value) = @{ $random->one(
		(map { ['url', 'published_url', $_] } '', 'https://www.example.com/u1',
			'https://www.example.com/u2'),
		(map { ['created', 'created_at', $_] } '2025-01-02T00:00:00Z',
			'2025-01-03T00:00:00Z'),
		['title', 'title', $self->title(2)], ['slug', 'slug', $random->one('same', 'other',
			'bees-walls')], ['description', 'meta_description', $self->text],
		['meta_title', 'meta_title', $random->one('', 'A title for searches')]) };
	return $self->article_field($article, $name, $field, $value);
}

# Returns `galley article set`; the model calls the field `name`.
sub article_field {
	my ($self, $article, $name, $field, $value) = @_;
	return command('article_set', ['article', 'set', $self->id(article =>
		$article->{name}), "$field=$value"], article => $article->{name},
		fields => { $name => $value });
}

sub settings {
	my ($self) = @_;
	my $random = $self->{random};
	my $name = $self->workspace;
	my $settings = $self->{world}{workspaces}{$name}{settings};
	my %field = %{ $random->one(
		{ author_name => 'Dana Reyes', author_url => 'https://www.example.com/dana' },
		{ author_name => '', author_url => '' },
		{ author_name => 'O"Hara & Co', author_url => '' },
		{ website => 'https://www.example.com' }, { website => 'https://www.example.org' },
		{ website => '' }, { address_pattern => '/blog/{slug}' },
		{ address_pattern => '/n/{slug}/' }, { publisher_name => 'Example & Sons' },
		{ publisher_name => $settings->{name} }, { publisher_name => '' },
		{ publisher_logo_url => 'https://www.example.com/logo.png' },
		{ publisher_logo_url => '' }, { language => 'de' }, { language => 'en' },
		{ name => 'Renamed' }, { name => 'Workspace ' . substr $name, 1 },
		{ analytics_enabled => 'true', analytics_origins => 'https://www.example.com' },
		{ analytics_enabled => 'false' }) };
	return $self->settings_of($name, %field);
}

sub settings_of {
	my ($self, $name, %field) = @_;
	return command('workspace_set', ['workspace', 'set', $self->id(workspace => $name),
		map { "$_=$field{$_}" } sort keys %field], workspace => $name, fields => \%field);
}

sub credits {
	my ($self) = @_;
	my $random = $self->{random};
	my $account = $self->account;
	my $id = $self->id(account => $account);
	my $do = $random->weighted(4 => 'grant', 3 => 'revoke', 2 => 'credits', 1 => 'ledger');
	return command($do, ['credits', $do eq 'credits' ? 'show' : $do, $id],
		account => $account) if $do =~ /^(?:credits|ledger)$/;
	my ($count, $ref) = ($random->one(1, 10, 20, 45), 'ref ' . $random->below(6));
	return $self->moved_credits($do, $account, $count, $ref);
}

# Returns `galley credits grant` or `revoke`.
sub moved_credits {
	my ($self, $do, $account, $count, $ref) = @_;
	return command($do, ['credits', $do, $self->id(account => $account), $count,
		'--ref', $ref], account => $account, credits => $count, ref => $ref);
}

# Returns an operation on a key or an account.
sub access {
	my ($self) = @_;
	my $random = $self->{random};
	if ($random->chance(30)) {
		my $verb = $random->one(qw(verify suspend resume resume));
		return $self->account_verb($verb, $self->account);
	}
	my $world = $self->{world};
	if ($random->chance(25)) {
		my $key = $random->one(grep { defined $self->id(key => $_) } names($world->{keys}));
		return command('key_revoke', ['key', 'revoke', $self->id(key => $key)],
			key => $key);
	}
	my $workspace = $self->workspace;
	my $number = keys %{ $world->{keys} };
	my @scopes = grep { $random->chance(60) } qw(articles:read drafts:read articles:generate);
	@scopes = 'articles:read' if !@scopes;
	return key_create("K$number", $workspace, $self->id(workspace => $workspace),
		$random->one(undef, 1, 2), @scopes);
}

# Returns `galley account verify`, `suspend` or `resume`.
sub account_verb {
	my ($self, $verb, $account) = @_;
	return command('account_state', ['account', $verb, $self->id(account => $account)],
		account => $account, verb => $verb);
}

sub key_create {
	my ($name, $workspace, $id, $days, @scopes) = @_;
	return command('key_create', ['key', 'create', '--workspace', $id,
		map({ ('--scope', $_) } @scopes), $days ? ('--expires', "${days}d") : ()],
		name => $name, workspace => $workspace, scopes => \@scopes,
		expires => $days && 86400 * $days);
}

sub run { return { do => 'run', say => 'job-runner --once' } }

# Returns `galley job create`: the operator orders what POST /generate orders.
sub job_create {
	my ($self) = @_;
	my $random = $self->{random};
	my %order = (topic => 'ok ' . $random->below(4000) . ' ' . $random->below(8000)
		. ' ' . ucfirst $random->one(@words));
	$order{image} = 0 if $random->chance(60);
	$order{auto_publish} = 1 if $random->chance(50);
	$order{kind} = 'research' if $random->chance(30);
	$order{max_credits} = $random->one(1, 10, 20, 30, 1000000) if $random->chance(25);
	my $brief = $random->one(undef, undef, map { $self->id(job => $_) // () }
		names($self->{world}{jobs}));
	$order{research} = $brief if defined $brief;
	my $workspace = $self->workspace;
	my $number = grep { /^operator/ } keys %{ $self->{world}{jobs} };
	return command('job_create', ['job', 'create', '--workspace',
		$self->id(workspace => $workspace), '--topic', $order{topic},
		'--kind', $order{kind} // 'article',
		exists $order{image} ? '--no-image' : (), $order{auto_publish} ? '--publish' : (),
		defined $order{max_credits} ? ('--max', $order{max_credits}) : (),
		defined $brief ? ('--research', $brief) : ()],
		name => "operator|$number", workspace => $workspace, order => \%order);
}

sub cancel {
	my ($self) = @_;
	my $job = $self->{random}->one(grep { defined $self->id(job => $_) }
		names($self->{world}{jobs})) // return;
	return command('cancel', ['job', 'cancel', $self->id(job => $job)], job => $job);
}

sub conf {
	my ($self) = @_;
	my $random = $self->{random};
	my %field = %{ $random->one(
		(map { { requests_per_minute => $_ } } 'count', 120, 0, 12),
		(map { { jobs_per_hour => $_ } } 0, 2, 3, 20),
		(grep { Model::Orders::open_job($_) } values %{ $self->{world}{jobs} }) ? ()
			: map { { price_article => $_ } } 15, 20) };
	return configure(%field);
}

sub configure {
	my (%field) = @_;
	return { do => 'conf', fields => \%field,
		say => join ' ', 'galley.conf:', map { "$_ = $field{$_}" } sort keys %field };
}

# The limits that a seed begins with.
sub limits {
	my ($random) = @_;
	return configure(requests_per_minute => $random->one('count', 120, 120, 12),
		jobs_per_hour => $random->one(0, 2, 3, 20));
}

sub clock {
	my ($self) = @_;
	return clock_step($self->{random}->one(61, 330, 400, 3601, 7200, 86400,
		86400, 172800, -61, -400, -3600));
}

sub clock_step {
	my ($by) = @_;
	return { do => 'clock', by => $by, say => "the clock steps by $by s" };
}

sub consume { return { do => 'consume', say => 'a consumer syncs' } }

# ---- operations at once

sub at_once {
	my ($self) = @_;
	my $random = $self->{random};
	my $which = $random->below(4);
	return map { $self->order } 1 .. 2 + $random->below(2) if $which == 0;
	if ($which == 1) { # the same order, twice or with another beside it
		my $one = $self->order;
		return ($one, { %$one }, $random->chance(40) ? $self->order(
			map { $_ => $one->{$_} } qw(key secret)) : ());
	}
	my @ops = grep { defined } $which == 2 ? $self->settings : $self->edit;
	my @more = grep { defined } $random->chance(30) ? $self->edit : ();
	# Of two edits of one article at once the later may be refused, or come later.
	my %edited = map { $_->{article} => 1 } grep { defined $_->{article} } @ops;
	push @ops, grep { !$edited{ $_->{article} // '' } } @more;
	push @ops, grep { defined } map { $random->chance(50) ? $self->ask_again
		: $self->ask_something } 1 .. 2;
	return @ops > 1 ? @ops : ();
}

1;
