#!/usr/bin/perl
# Mails (docs/console.md §2.6): links, and what Home tells, are sent by the program of mail_command,
# which the task runner alone starts: once each, to who may still act on it and wants mails, in fixed
# sentences of the person's language. A program that fails, hangs, prints without end or is killed
# delays nothing else, and no mail goes out more than twice, wherever the runner is killed.
use strict;
use warnings;
use utf8;

use Encode qw(decode);
use MIME::Base64 qw(decode_base64);
use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $hostile = "Bcc: all\@example.net <b> =?UTF-8?B?QQ==?=";
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->must(qw(account create), $hostile, qw(--verified --credits 1000))->{id};
my $workspace = $galley->workspace(name => $hostile, account => $account);
my %person;
sub joined {
	my ($key, %option) = @_;
	$person{$key} = $console->person(name => ucfirst $key, email => "$key\@example.org",
		workspace => $workspace, %option);
	$console->sql("UPDATE person SET password = 'x' WHERE id = $person{$key}{id}");
	return $console->as($person{$key});
}
my $olga = joined('olga', role => 'owner');
my $wim = joined('wim', role => 'writer');
my $otto = joined('otto', role => 'operator', workspace => undef);

# ---- a program that keeps what it gets, and does what the file `how` says
my $box = $galley->folder_of_owner('box');
my $program = "$box/post";
Galley::spew($program, <<"END");
#!/bin/sh
how=\$(cat $box/how)
case \$how in
fail) cat >/dev/null; echo "no \$5 today" >&2; exit 75 ;;
deaf) exit 0 ;;
esac
file=\$(mktemp $box/part.XXXXXX)
{ env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | tr '\\n' ' '; echo; printf '%s\\n' "\$*"; cat; } >"\$file"
mv "\$file" "$box/mail.\${file##*.}"
case \$how in
hang) sleep 600 ;;
flood) head -c 5000000 /dev/zero | tr '\\0' x ;;
kill) kill -9 \$\$ ;;
wait) n=0; while [ ! -e $box/go ] && [ \$n -lt 300 ]; do sleep 0.1; n=\$((n + 1)); done ;;
esac
exit 0
END
chmod 0755, $program;
chown $galley->owner_ids, $program if $> == 0;
sub how { Galley::spew("$box/how", $_[0]); chmod 0644, "$box/how" }
how('take');

my $now = 0;
# Runs the task runner as cron would. Returns the mails that were sent, each {words, head, text}.
sub cron {
	my ($more, %env) = @_;
	$now += $more // 0;
	my $run = run_program([$galley->programs . '/bin/task-runner', '--once'], env => {
		PATH => '/usr/bin:/bin', GALLEY_CLOCK => $now, GALLEY_POSTMAN => 2, %env },
		as => [$galley->owner_ids], seconds => 60);
	return taken();
}
sub taken {
	my @mails;
	for my $file (sort glob "$box/mail.*") {
		my ($environment, $words, $head, $body) = Galley::slurp($file)
			=~ /\A(\N*)\n(\N*)\n(.*?\n)\n(.*)\z/s or die "no message in $file";
		unlink $file;
		my %head = $head =~ /^([\w-]+): (.*(?:\n .*)*)$/mg;
		$body = decode_base64($body) if $head{'Content-Transfer-Encoding'} eq 'base64';
		push @mails, { env => $environment, words => $words, raw => $head, head => \%head,
			text => decode('UTF-8', $body) };
	}
	@mails = sort { $a->{words} cmp $b->{words} } @mails;
	return @mails;
}
sub subjects { return join ', ', map { "$_->{head}{To}: $_->{head}{Subject}" } @_ }
sub rows {
	return $console->sql("SELECT state, tries, link IS NULL AS empty FROM mail $_[0]");
}
sub doctor { return (grep { $_->{check} eq 'mail' } @{ $galley->command('doctor')->{json} })[0] }
sub invite {
	my ($browser, $email, $name) = @_;
	return $browser->get("/$workspace/people")->press('Invite', 'E-mail' => $email,
		Name => $name // 'New', Role => 'writer');
}

# ---- without mail_command
my $page = invite($olga, 'first@example.org');
unlike $page->text, qr/mail/i, 'an instance that sends no mails says nothing of them';
is @{ rows('') }, 0, 'and keeps none';
ok !$olga->get('/me')->field('Tell me by mail what waits for me'), 'nor does Your account';
is $olga->post('/me/mails', [])->status, 403, 'a form without a token is refused';
is doctor()->{level}, 'ok', 'doctor is content';
is $galley->command(qw(doctor --mail a@example.org))->{exit}, 1, 'and sends no test';

# ---- the program
$galley->conf(mail_command => 'sendmail');
like doctor()->{message}, qr/absolute path/, 'doctor: a name is no path';
$galley->conf(mail_command => '/nowhere/sendmail -i');
like doctor()->{message}, qr/cannot be started/, 'one that is not there';
$galley->conf(mail_command => "$program -i -f galley\@example.com");
chmod 0777, $program;
like doctor()->{message}, qr/written by others/, 'one that others may change';
chmod 0755, $program;
is doctor()->{level}, 'ok', 'and one that is well';
is $galley->command(qw(doctor --mail), $_)->{exit}, 1, "no test goes to $_"
	for 'nobody', "a\@b\@example.org";
$galley->must(qw(doctor --mail test@example.org));
my ($mail) = taken();
is $mail->{words}, '-i -f galley@example.com -- test@example.org', 'doctor --mail sends a test';
is $mail->{head}{Subject}, 'A test', 'that says so';
$galley->conf(mail_command => "$program -i -fother\@example.com");
$galley->must(qw(doctor --mail test@example.org));
($mail) = taken();
like $mail->{head}{From}, qr/other\@example\.com/, 'from the sender of the command, however -f is written';
$galley->conf(mail_command => "$program -i -f galley\@example.com");

# ---- an invitation
$page = invite($olga, '-oQ@example.org', $hostile);
like $page->text, qr/It is sent to -oQ\@example\.org by mail, too/, 'the page says that it is mailed';
my ($link) = $page->text =~ m{(https://galley\.example/console/invite/ab_invite_[0-9a-f]{40})};
is taken(), 0, 'no request sends it';
my $token = $link =~ s{.*/}{}r;
is index(join('', map { Galley::slurp($_) } glob $galley->home . '/people/console.db*'), $token), -1,
	'what waits does not hold the link';
my @mails = cron();
is @mails, 1, 'the task runner sends it' or diag subjects(@mails);
$mail = $mails[0];
is $mail->{words}, '-i -f galley@example.com -- -oQ@example.org', 'the address follows --';
like $mail->{env}, qr/^(?:(?:HOME|LOGNAME|PATH|USER)=\S+ )+$/, 'the program learns little else';
is_deeply [sort keys %{ $mail->{head} }], [sort qw(From To Subject Date Message-ID Auto-Submitted
	MIME-Version Content-Type Content-Language Content-Transfer-Encoding)], 'the headers';
is $mail->{head}{From}, 'galley@example.com', 'it is from who is behind -f';
is $mail->{head}{To}, '-oQ@example.org', 'to the address';
like $mail->{head}{Date}, qr/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d \+0000$/, 'with a date';
like $mail->{head}{'Message-ID'}, qr/^<[0-9a-f-]{36}\@galley\.example>$/, 'with an id';
is $mail->{head}{'Auto-Submitted'}, 'auto-generated', 'sent by a program';
like $mail->{text}, qr/^\Q$link\E$/m, 'it holds the link';
unlike $mail->{raw} . $mail->{text}, qr/all\@example|<b>|UTF-8\?B|Olga/, 'and no word of a customer';
is((grep { length > 78 && !/^https/ } split /\n/, $mail->{raw} . $mail->{text}), 0, 'no line is long');
is $console->browser->get("/invite/$token")->heading, 'Invitation', 'the link works';
is rows("WHERE kind = 'invite'")->[0]{empty}, 1, 'the link is not kept';
is cron(400), 0, 'it is sent once';

# ---- who set another language; links that are over
$console->sql("UPDATE person SET language = 'ar' WHERE id = $person{wim}{id}");
$galley->must(qw(person reset wim@example.org));
my $newest = $galley->must(qw(person reset wim@example.org))->{link};
@mails = cron();
is @mails, 1, 'of two links only the good one is sent';
like $mails[0]{text}, qr/^\Q$newest\E$/m, 'the newest';
is decode('MIME-Header', $mails[0]{head}{Subject}), 'كلمة مرور جديدة', 'the subject is Arabic';
like $mails[0]{head}{Subject}, qr/\A[ -~\n]+\z/, 'in ASCII';
like $mails[0]{text}, qr/كلمة مرور/, 'so is the text';
is $mails[0]{head}{'Content-Language'}, 'ar', 'and says so';
$console->sql("UPDATE person SET language = 'en' WHERE id = $person{wim}{id}");

# ---- what waits
sub hand_in {
	my ($title) = @_;
	my ($id) = $galley->import_text($workspace, { publish => 0 }, "# $title\n\nText.\n");
	$wim->get("/$workspace/articles/$id")->press('Hand in for review', Comment => $hostile);
	return $id;
}
my $article = hand_in("One $hostile");
@mails = cron();
is subjects(@mails), 'olga@example.org: An article was handed in', 'who publishes is told';
like $mails[0]{text}, qr{^https://galley\.example/console/$workspace/articles/$article$}m, 'where';
like $mails[0]{text}, qr{^https://galley\.example/console/me$}m, 'and how it ends';
unlike $mails[0]{raw} . $mails[0]{text}, qr/One|<b>|all\@/, 'without its title';
is $olga->get("/$workspace/articles/$article")->status, 200, 'the address is a page';
is cron(400), 0, 'nobody is told twice';
$olga->get("/$workspace/articles/$article")->press('Hand back');
$wim->get("/$workspace/articles/$article")->press('Hand in for review');
is subjects(cron(400)), 'olga@example.org: An article was handed in', 'handed in again is told again';

my $key = $galley->must(qw(key create --workspace), $workspace, qw(--scope articles:read))->{id};
$galley->sql("UPDATE api_key SET lifetime = " . (time + $now + 5 * 86400)
	. "000000 - created_at, expires_at = " . (time + $now + 5 * 86400) . "000000 WHERE uuid = '$key'");
my $job = $galley->must(qw(job create --workspace), $workspace, qw(--topic Secret))->{id};
$galley->sql("UPDATE job SET status = 'failed', stage = 'failed', cost = 0, error = 'Secret', error_code = 'provider_unavailable', settled_at = "
	. (time + $now) . "000000 WHERE uuid = '$job'");
$galley->sql("UPDATE account SET granted = 10, available = 10, reserved = 0, spent = 0");
my $ada = $console->person(name => 'Ada', email => 'ada@example.org', role => 'owner', account => $account);
$console->sql("UPDATE person SET password = 'x' WHERE id = $ada->{id}");
@mails = cron();
is subjects(sort { subjects($a) cmp subjects($b) } @mails), join(', ',
	map({ "ada\@example.org: $_" } 'A key ends', 'An article was handed in', 'An order failed',
		'Few credits are left'),
	map { "olga\@example.org: $_" } 'A key ends', 'An order failed'),
	'each is told to who may do something about it, and to no operator';
unlike join('', map { $_->{text} } @mails), qr/Secret/, 'without what was ordered';
for my $told (grep { $_->{head}{To} =~ /^ada/ } @mails) {
	my ($path) = $told->{text} =~ m{^https://galley\.example/console(/\S+)$}m;
	is $console->as($ada)->get($path)->status, 200, "$told->{head}{Subject}: $path is a page";
}
is cron(400), 0, 'once';
my $silent = (time - 4 * 86400) * 1_000_000;
$galley->sql('INSERT INTO reader (uuid, workspace,'
	. ' requested_at, read_at, listed_at, refused_at, refused_status, refused_code, looked_at)'
	. " VALUES ('$key', '$workspace', $silent, $silent, $silent, 0, 0, '', $silent)", 'stats');
is subjects(cron(400)), join(', ', map { "$_\@example.org: A site is silent" } 'ada', 'olga'),
	'so is a site that is silent';
is cron(400), 0, 'once, too';

# ---- the switch, rights that ended, people who are disabled
is $olga->get('/me')->press('Change mails', 'Tell me by mail what waits for me' => 0)->notice,
	'Changed.', 'a person switches mails off';
hand_in('Two');
is subjects(cron(400)), 'ada@example.org: An article was handed in', 'and gets none';
$olga->get('/me')->press('Change mails', 'Tell me by mail what waits for me' => 1);
my ($to, $sent) = $olga->get('/me')->sends('Change mails', 'Tell me by mail what waits for me' => 0);
is $olga->post($to->{action}, [@$sent, mails => 1, mails => 1], whole => 1)->status, 422, 'a form that says it twice is refused';
is subjects(cron(400)), 'olga@example.org: An article was handed in', 'and on again';
how('fail');
hand_in('Three');
is cron(400), 0, 'the program fails';
is @{ rows("WHERE state = 'waiting'") }, 2, 'the mails wait';
my $found = doctor();
like $found->{message}, qr/could not be sent: \S+ ended with status 75: no \*+ today/,
	'doctor says why, without the address';
like $otto->get('/instance')->text, qr/last mail could not be sent.*status 75/s, 'Instance, too';
$console->sql("UPDATE membership SET may_publish = 0, may_manage = 0 WHERE person_id = $person{olga}{id}");
$console->sql("UPDATE person SET disabled_at = 1 WHERE id = $ada->{id}");
how('take');
is cron(61), 0, 'who lost the right, or is disabled, gets nothing that waited';
is @{ rows("WHERE state = 'waiting'") }, 0, 'and it waits no more';
$console->sql("UPDATE membership SET may_publish = 1, may_manage = 1 WHERE person_id = $person{olga}{id}");

# ---- a program that does not work
# An account has twenty mails a day.
sub another_day { $console->sql('UPDATE mail SET created_at = created_at - 2 * 86400000000') }
sub reset_olga {
	my $done = $galley->command({ env => { GALLEY_CLOCK => $now } },
		qw(person reset olga@example.org));
	die $done->{err} if $done->{exit} != 0;
}
sub state_of { my $row = rows('ORDER BY id DESC LIMIT 1')->[0]; return "$row->{state} $row->{tries}" }
how('fail');
reset_olga();
cron();
is state_of(), 'waiting 1', 'a mail that fails waits';
cron(30);
is state_of(), 'waiting 1', 'not at once';
cron(31);
is state_of(), 'waiting 2', 'but after a minute';
$console->sql("UPDATE mail SET tries = 5, due_at = 1 WHERE state = 'waiting'");
cron();
is state_of(), 'failed 6', 'six times';
my $good = Galley::slurp($galley->home . '/galley.conf');
reset_olga();
$galley->conf(console_days => 99);
how('take');
is cron(), 0, 'while galley.conf has a fault no program is taken from the last good settings';
Galley::spew($galley->home . '/galley.conf', $good);
is scalar(cron()), 1, 'it waits';
how('deaf');
reset_olga();
cron();
is state_of(), 'sent 1', 'a program that reads nothing and ends well has it';
is doctor()->{level}, 'ok', 'and nothing is wrong any more';
another_day();
how('flood');
reset_olga();
is scalar(cron()), 1, 'one that prints megabytes sends';
is state_of(), 'sent 1', 'and is done';
for my $how ('hang', 'kill') {
	another_day();
	how($how);
	reset_olga();
	my $count = () = cron();
	like state_of(), qr/^waiting 1$/, "$how: nobody knows whether it was sent";
	$count += () = cron(61);
	$count += () = cron($_) for 301, 1801;
	is $count, 2, 'so it is tried twice at most';
	is state_of(), 'failed 2', 'and not again';
}
like doctor()->{message}, qr/ended by signal 9/, 'doctor says so';
is run_program(['pgrep', '-f', $program])->{out}, '', 'no process of it is left';

# ---- it holds up nothing else
how('wait');
reset_olga();
my ($dated) = $galley->import_text($workspace, { publish => 0 }, "# Dated\n\nText.\n");
$galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $dated);
$galley->sql('UPDATE desk SET publish_at = ' . (time + $now - 5) . '000000 WHERE publish_at > 0');
my $child = fork // die "fork: $!";
if ($child == 0) { cron(0, GALLEY_POSTMAN => 40); require POSIX; POSIX::_exit(0) }
my $published = 0;
for (1 .. 200) {
	$published = $galley->must(qw(article show), $dated)->{status} eq 'published';
	last if $published;
	select undef, undef, undef, 0.1;
}
ok $published, 'a date comes while the program hangs';
is $galley->sql("SELECT count(*) AS n FROM article")->[0]{n} > 0, 1, 'and the store is free';
Galley::spew("$box/go", '');
waitpid $child, 0;
unlink "$box/go";
taken();

# ---- killed anywhere
how('take');
for my $case (['mail-noted', 1], ['mail-begun', 1], ['mail-sent', 2], ['mail-ended', 1]) {
	my ($point, $most) = @$case;
	$console->sql("DELETE FROM mail");
	hand_in("Killed at $point");
	$console->sql("UPDATE person SET mails = 0 WHERE id = $ada->{id}");
	my @got = cron(400, GALLEY_FAULT => "$point:1:kill");
	push @got, cron($_) for 61, 301, 1801;
	my %times;
	$times{$_->{head}{'Message-ID'}}++ for @got;
	is((sort { $b <=> $a } values %times)[0], $most, "killed at $point: told "
		. ($most > 1 ? 'twice' : 'once')) or diag subjects(@got);
	is @{ rows("WHERE state <> 'sent'") }, 0, 'and all is told';
}
reset_olga();
my @got = map { cron($_, GALLEY_FAULT => 'mail-sent:1:kill') } 0, 61, 301;
is @got, 2, 'killed there each time it is sent twice at most';

# ---- the day's mails; a restore; a copy
$console->sql("DELETE FROM mail");
$galley->must(qw(person reset wim@example.org)) for 1 .. 21;
is @{ rows('') }, 20, 'an account has twenty mails a day';
unlike invite($olga, 'late@example.org')->text, qr/It is sent to/, 'the page says so';
like invite($olga, 'late@example.org')->text, qr/mails of this day are used up/, 'in words';
$console->sql("UPDATE mail SET created_at = 1 WHERE state <> 'waiting'");
my $tar = $galley->home . '/db/b.tar';
$galley->must('backup', $tar);
$galley->must(qw(restore --yes), $tar);
is @{ rows("WHERE state = 'waiting'") }, 0, 'what waited before a restore is not sent';
$console->sql("DELETE FROM mail");
cron(0, GALLEY_MACHINE => 'one');
reset_olga();
if ($galley->{database}) { # all hosts of one database are one place
	cmp_ok scalar(cron(61, GALLEY_MACHINE => 'two')), '>', 0, 'another host sends what waits';
} else {
	is cron(0, GALLEY_MACHINE => 'two'), 0, 'an instance on another machine sends none';
	$galley->must('live');
	cmp_ok scalar(cron(61, GALLEY_MACHINE => 'two')), '>', 0, 'until it is live';
}
is $galley->must(qw(person remove --erase olga@example.org))->{id} // 1, $person{olga}{uuid}, 'a person is erased';
is @{ rows("WHERE person = '$person{olga}{uuid}'") }, 0, 'with the mails';

done_testing;
