# What a person began in the console is killed at its n-th operation on the stores' files: the
# upload of a picture, the publishing of many articles, a part of a text in a form of its own, a
# task and a publication at a date by the task runner. Proves that nothing that was acknowledged is lost, and that nothing is there twice:
# before it is done again, all or nothing of it is done; then all of it is, once
# (docs/console.md §7).
#
# It tests every 13th n from a random one on; with GALLEY_FAULT_ALL every n, and operations that
# fail, too (make check-faults). GALLEY_FAULT_START repeats a run's choice.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use FakeOpenAI;
use FaultPoints qw(met_points);
use Galley::Console;
use Galley::Process qw(run_program);

my $all = $ENV{GALLEY_FAULT_ALL};
my $stride = $all ? 1 : 13;
my $start = $ENV{GALLEY_FAULT_START} // int rand $stride;
diag "GALLEY_FAULT_START=$start";
my $console = Galley::Console->new(build => 'test', conf => { kept_answers => 0 });
my $galley = $console->galley;
my $home = $galley->home;
my $workspace = $galley->workspace(name => 'First');
my $account = $galley->sql('SELECT uuid FROM account')->[0]{uuid};
my $owner = $console->person(name => 'Olga', role => 'owner', account => $account);
my $browser = $console->as($owner);
my ($article) = $galley->import_text($workspace, "# One\n\nText.\n");
my ($round, $width) = (0, 0);
my $exports; # the workspace of the task

sub count { my ($query) = @_; return $galley->sql("SELECT count(*) AS n FROM $query")->[0]{n} }

# Sends a form with an environment; undef if the process died on the way.
sub sent {
	my ($env, $form) = @_;
	$browser->{env} = $env;
	my $answer = eval { $browser->post(@$form, whole => 1) };
	$browser->{env} = {};
	return { exit => 0, signal => 0, status => $answer->status, heading => $answer->heading }
		if $answer;
	die $@ if $@ !~ /signal 9/;
	return { exit => 0, signal => 9 };
}
sub form_of { my ($page, @press) = @_; my ($form, $sent) = $page->sends(@press);
	return [$form->{action} // $page->{address}, $sent] }
sub tasks {
	my ($env) = @_;
	return run_program([$galley->programs . '/bin/task-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', HOME => '/', %$env }, as => [$galley->owner_ids],
		seconds => 120);
}

# Returns what does a small form: a text that holds `table` is saved first. It is done if the article
# has one more save, and `Part` is in its text once, or not at all any more.
sub small_form {
	my ($name, $button, $table, @given) = @_;
	my $page = "/$workspace/articles/$article";
	my $newest = sub { return $galley->sql('SELECT max(id) AS n FROM save')->[0]{n} };
	my $left = sub { my ($it) = @_; return count("save WHERE id > $it->{before}") . ' '
		. (() = $galley->sql("SELECT content FROM article WHERE uuid = '$article'")->[0]{content}
		=~ /"Part"/g) };
	my $removes = $name =~ /remove/;
	return {
		begin => sub {
			$browser->get($page)->press('Save', Text => 'Round ' . ++$round . ".\n\n$table");
			my $form = form_of($browser->get("$page/parts/$name"), $button, @given);
			return { before => $newest->(), form => $form };
		},
		run => sub { my ($env, $it) = @_; return sent($env, $it->{form}) },
		left => $left, none => [$removes ? '0 1' : '0 0'], whole => $removes ? '1 0' : '1 1',
		again => 303,
	};
}

# NAME => {begin: prepares one more, and returns what `run` gets; run: does it with an
# environment; left: how much of it is done, as a text; whole: that text when all is done}.
my %does = (
	'an upload' => {
		begin => sub {
			my $png = FakeOpenAI::png(++$width, 2);
			return { form => form_of($browser->get("/$workspace/pictures"), 'Upload',
				Picture => { filename => 'a.png', type => 'image/png', bytes => $png },
				'Alternative text' => "Picture $width") };
		},
		run => sub { my ($env, $it) = @_; return sent($env, $it->{form}) },
		left => sub { return join ' ', count("picture WHERE alternative = 'Picture $width'"),
			count('media') - ($width - 1) },
		none => ['0 0', '0 1'], whole => '1 1', again => 303,
	},
	'publishing of many' => {
		begin => sub {
			++$round;
			my @ids = $galley->import_text($workspace, { publish => 0 },
				map { "# Round $round, text $_\n\nText $_.\n" } 1 .. 3);
			my $look = $browser->get("/$workspace/articles?status=draft")->submit('Publish',
				chosen => \@ids);
			return { ids => \@ids, form => form_of($look, 'Publish 3 articles') };
		},
		run => sub { my ($env, $it) = @_; return sent($env, $it->{form}) },
		left => sub { my ($it) = @_; return count('edition e JOIN article a ON a.id = e.article_id'
			. " WHERE a.status = 'published' AND a.uuid IN ("
			. join(', ', map { "'$_'" } @{ $it->{ids} }) . ')') },
		none => ['0'], whole => '3', again => 303,
	},
	# Parts of a text: the form that adds one would add it twice, and the one that changes or
	# removes one finds another text the second time.
	'a new part' => small_form('table', 'Save', '', 'cell-0-0' => 'Part'),
	'a part that is changed' => small_form('table-s1-1', 'Save', "| Old | B |\n|---|---|\n| c | d |\n",
		'cell-0-0' => 'Part'),
	'a part that is removed' => small_form('table-s1-1?remove', 'Remove from the text',
		"| Part | B |\n|---|---|\n| c | d |\n"),
	'a publication at a date' => {
		begin => sub {
			$galley->must(qw(article set), $article, 'section=S' . ++$round);
			$galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $article);
			$galley->sql('UPDATE desk SET publish_at = ' . (time - 5) . '000000');
			return { before => count('edition') };
		},
		run => \&tasks,
		left => sub { my ($it) = @_; return join ' ', count('edition') - $it->{before},
			count('desk WHERE publish_at IS NOT NULL') },
		none => ['0 1'], whole => '1 0', again => 0,
	},
	# Two steps: a step looks at 20 articles. It is done if each export has the author of this
	# round, and the task has counted each article once.
	'a task' => {
		begin => sub {
			if (!$exports) {
				$exports = $galley->workspace(name => 'Second', account => $account);
				$galley->import_text($exports, map { "# Export $_\n\nText.\n" } 1 .. 21);
			}
			my $author = 'Author ' . ++$round . '.';
			$galley->must(qw(workspace set), $exports, "author_name=$author");
			$console->sql('INSERT INTO task (uuid, kind, person, need, account, workspace,'
				. " created_at) VALUES ('t$round', 'refresh-exports', '$owner->{uuid}',"
				. " 'manage', '$account', '$exports', 1)");
			return { task => "t$round", author => $author };
		},
		run => \&tasks,
		left => sub {
			my ($it) = @_;
			my $task = $console->sql('SELECT state, done, total FROM task'
				. " WHERE uuid = '$it->{task}'")->[0];
			return $task->{state} if $task->{state} ne 'done';
			my $fresh = count("export WHERE instr(body, '$it->{author}') > 0");
			return "done, $task->{done} of $task->{total}, $fresh fresh";
		},
		none => [qw(waiting running)], whole => 'done, 21 of 21, 21 fresh', again => 0,
	},
);

for my $name (sort keys %does) {
	my $it = $does{$name};
	my $what = $it->{begin}->();
	my ($first, $met) = met_points($galley, sub { $it->{run}->($_[0], $what) });
	is $it->{left}->($what), $it->{whole}, "$name is done";
	my @wrong;
	my ($places, $killed) = (0, 0);
	for (my $n = 1 + $start; $n <= $met->{'vfs-op'}; $n += $stride) {
		for my $fault ($all ? qw(kill EIO) : 'kill') {
			my $at = "$name at vfs-op:$n:$fault";
			$places++;
			$what = $it->{begin}->();
			my $done = $it->{run}->({ GALLEY_FAULT => "vfs-op:$n:$fault" }, $what);
			$killed++ if $done->{signal} || $done->{exit};
			my $left = $it->{left}->($what);
			push @wrong, "$at: $left is done" if !grep { $left eq $_ } @{ $it->{none} },
				$it->{whole};
			push @wrong, "$at: it was acknowledged, and $left is done"
				if ($done->{status} // 0) == 303 && $left ne $it->{whole};
			my $again = $it->{run}->({}, $what);
			push @wrong, "$at: again: " . ($again->{status} // "exit $again->{exit}")
				if ($again->{status} // $again->{exit}) != $it->{again};
			$left = $it->{left}->($what);
			push @wrong, "$at: done again, $left is done" if $left ne $it->{whole};
		}
	}
	is_deeply \@wrong, [], "$name: all or nothing at $places places, and then once";
	cmp_ok $killed, '>', $places / 3, 'processes were killed';
	my $verify = $galley->command('verify');
	is $verify->{exit}, 0, "$name: verify finds nothing" or diag $verify->{err};
}
done_testing;
