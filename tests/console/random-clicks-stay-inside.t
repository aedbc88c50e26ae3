# Each role follows links, presses buttons and types what comes to mind, at random: no answer is
# a failure of the server, and nothing of another customer is ever shown. CLICKS=N clicks of
# all roles together (60); SEED=N repeats a run.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley::Console;
use Galley::Screens qw(world);

my $seed = $ENV{SEED} // time ^ $$ << 8;
srand $seed;
diag "SEED=$seed";
my $console = Galley::Console->new;
my $world = world($console);
my $galley = $console->galley;
my $secret = 'Nobody else may read this';
my ($theirs) = $galley->import_text($world->{foreign}, "# $secret\n\nText.\n");
my $foreign_ids = join '|', $theirs, @$world{qw(foreign other_account)};
my @roles = sort keys %{ $world->{people} };
my $clicks = int(($ENV{CLICKS} // 60) / @roles);
my @words = ('', 'x', 'A title', "two\nlines", '<b>&"\'</b>', '../..', "\x{1F600}\x{202E}", '0',
	'-1', '9' x 30, '2027-01-01', 'a@example.org', 'https://site.example/{slug}', 'y' x 5000,
	$theirs, $world->{foreign});

sub any { return $_[rand @_] }

# Fills each field with something, or leaves it.
sub typed {
	my ($form) = @_;
	my @given;
	for my $field (grep { $_->{type} ne 'hidden' && $_->{type} ne 'file' && !$_->{readonly}
			&& !$_->{disabled} && defined $_->{name} && rand() < 0.5 } @{ $form->{fields} }) {
		push @given, $field->{name}, $field->{type} eq 'checkbox' ? int rand 2
			: $field->{type} eq 'radio' ? $field->{value}
			: $field->{type} eq 'select' ? any(map { $_->{value} } @{ $field->{options} })
			: any(@words);
	}
	return @given;
}

# Presses a button, follows a link, or types an address with a part of another's.
sub click {
	my ($page, $browser) = @_;
	my $root = $browser->root;
	my @links = grep { m{^\Q$root\E/} || /^\?/ } map { $_->[1] } $page->links;
	my @forms = grep { @{ $_->{buttons} } && ($_->{action} // '') !~ /sign-out$/ } $page->forms;
	if (@forms && rand() < 0.4) {
		my $form = any(@forms);
		my $button = any(@{ $form->{buttons} })->{label};
		return ("'$button'", eval { $page->press($form->{method} eq 'post'
			? [$button, $form->{action}] : $button, typed($form)) });
	}
	my $to = any(@links, "$root/") =~ s/#.*//sr;
	$to = ($page->{address} =~ s/\?.*//sr) . $to if $to =~ /^\?/;
	if (rand() < 0.15) {
		my $foreign = any(@$world{qw(foreign other_account)}, $theirs);
		$to =~ s/[0-9a-f]{8}-[0-9a-f-]{27}/$foreign/;
	}
	return ($to, eval { $browser->get($to, whole => 1) });
}

for my $role (@roles) {
	my $browser = $console->as($world->{people}{$role});
	my $page = $browser->get('/');
	my @wrong;
	for my $click (1 .. $clicks) {
		my $from = $page->{address};
		my ($what, $next) = click($page, $browser);
		push @wrong, "$from, $what: $@" if !$next;
		$page = $next && $next->body ne '' ? $next : $browser->get('/');
		push @wrong, "$from, $what: " . $page->status if $page->status >= 500;
		next if $role eq 'operator';
		push @wrong, "$from, $what: shows another's text" if index($page->body, $secret) >= 0;
		push @wrong, "$from, $what: $page->{address} is another's"
			if $page->{address} =~ /^[^?]*(?:$foreign_ids)/ && $page->status != 404;
		# A person who was signed out signs in again.
		if ($page->heading eq 'Sign in') {
			$browser = $console->as($world->{people}{$role});
			$page = $browser->get('/');
		}
	}
	is_deeply \@wrong, [], "$role: $clicks clicks" or diag "SEED=$seed";
}
done_testing();
