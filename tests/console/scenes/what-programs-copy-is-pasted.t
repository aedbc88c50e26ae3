#!/usr/bin/perl
# What Word, Google Docs, Notion, WordPress, ChatGPT and Wikipedia put onto the clipboard becomes an
# article (docs/console.md §5.4), in the visual view as in the Markdown: headings, lists, tables, quotes,
# notes, code and links stay; buttons, edit links, scripts and what was hidden do not.
# suite: slow
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Galley::JSON ();
use Encode qw(decode);
use Test::More;

use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $json = Galley::JSON->new->utf8;
my $console = Galley::Console->new(build => 'test');
my $workspace = $console->galley->workspace(name => 'Garden');
$console->serve;
my $ada = $console->as($console->person(role => 'editor', workspace => $workspace));
my $origin = $ada->origin;

my $folder = Galley::top() . '/tests/fixtures/pasted';
sub given { my ($file) = @_; return decode('UTF-8', Galley::slurp("$folder/$file")) }
my %clipboards = map { m{([^/]+)\.html\z} ? ($1 => given("$1.html")) : () } glob "$folder/*.html";
my %texts = map { $_ => given("$_.md") =~ s/\n\z//r } keys %clipboards;
# Each tries to run something, to ask another host, or to be taken for what was copied in the view.
$clipboards{hostile} = <<'END' =~ s/\n//gr;
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css"><style>@import url(https://evil.example/b.css);</style>
<p title="a>b" style="background:url(https://evil.example/c.png)" onclick="ran=1">A <a href="javascript:ran=1">b</a> <a href="data:text/html,<script>ran=1</script>">c</a>
 <img src="x" alt="d" onerror="ran=1"><script>ran=1</script><svg onload="ran=1"><script>ran=1</script></svg></p>
<math><mtext><table><mglyph><style><img src="x" alt="" onerror="ran=1"></style></mglyph></table></mtext></math>
<noscript><p title="</noscript><img src='x' onerror='ran=1'>">e</p></noscript><iframe srcdoc="<script>parent.ran=1</script>"></iframe>
<form action="https://evil.example/"><input autofocus onfocus="ran=1"><button>f</button></form>
<p data-galley="1" data-pm-slice="0 0 []" data-s="g">h</p><img src="https://evil.example/i.png" alt="j"><object data="https://evil.example/k"></object>
END
# What the rules for programs could take from other pages.
$clipboards{others} = <<'END' =~ s/\n//gr;
<p>Before <b>it</b></p><copy-it value="<style> a {}"></copy-it><styled-text>custom</styled-text><!-- <style> --><h2><button>What?</button></h2>
<p><span aria-hidden="true"><strong>Seen</strong></span></p><pre>one <code>two</code> three</pre><pre><code><div>d1</div><div>d2</div></code></pre>
<table><tr><th>Who</th><th>Does</th></tr><tr><td rowspan="2">Ada</td><td>dig</td></tr><tr><td>sow</td></tr></table>
<table><tr><td><h3>Frame</h3><p>In it.</p></td></tr></table>
<figure><figure><img src="https://example.org/a.png" alt="a"><figcaption>Cap a</figcaption></figure><figcaption>Both</figcaption></figure>
<p class="MsoListParagraph" style="mso-list:l1 level1 lfo1"><span style="mso-list:Ignore">1. </span>One</p>
<p class="MsoListParagraph" style="mso-list:l1 level1 lfo1"><span style="mso-list:Ignore">2. </span>Two</p>
<p class="MsoListParagraph" style="mso-list:l5 level1 lfo2"><span style="mso-list:Ignore">1. </span>Other</p>
<p>One<br> <br><br>Two<br>below x<sup>2</sup> y<sub>-10</sub> 1<sup>st</sup> <img class="emoji" alt="😀" src="https://example.org/e.png"></p>
<p>End<a class="MsoCommentReference">[AE1]</a>.</p>
END
$texts{others} = "Before **it**\n\ncustom\n\n## What?\n\n**Seen**\n\n```\none two three\n```\n\n```\nd1\nd2\n```\n\n"
	. "| Who | Does |\n| --- | --- |\n| Ada | dig |\n|  | sow |\n\n### Frame\n\nIn it.\n\n![a](https://example.org/a.png \"Cap a\")\n\n"
	. "Both\n\n1. One\n2. Two\n\n<!-- -->\n\n1. Other\n\nOne\n\nTwo\\\nbelow x\x{b2} y\x{208b}\x{2081}\x{2080} 1st \x{1F600}\n\nEnd.";
$texts{hostile} = "A b c d\n\ne\n\nh\n\n[https://evil.example/k](https://evil.example/k)\n\n![j](https://evil.example/i.png)";
my $done = run_program(['node', Galley::top() . '/tests/node/pasted.mjs'], env => { %ENV }, seconds => 240,
	input => $json->encode({ new => "$origin/console/$workspace/articles/new", clipboards => { map { $_ => { html => $clipboards{$_}, plain => "Plain text of $_" } } keys %clipboards },
		cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $origin } } keys %{ $ada->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
my $found = $json->decode($done->{out} || '{}');
for my $name (sort keys %clipboards) {
	is $found->{markdown}{$name} =~ s/&amp;/&/gr, $texts{$name}, "$name as Markdown";
	# The view writes lines and marks its way, and has a place for who said a quote and what is in a table.
	my $text = $texts{$name} =~ s/^\*\*\*$/---/mgr;
	$text =~ s/\n>\n> (?:— )?\*(?:Ada|Grace) Example.*?\*$//mg;
	$text =~ s/\n\nHow long it takes$//mg;
	$text =~ s/\*\[(citation needed)\]\((.*?)\)\*\\\]/[*$1*]($2)]/;
	is $found->{visual}{$name}, $text, "$name in the view";
}
sub captions { my ($name) = @_; return [map { $_->{caption} // $_->{cite} // () } @{ $json->decode($found->{facts}{$name}) }] }
is_deeply captions('wordpress'), ['Ada Example, Heaps', 'Grace Example', 'How long it takes'], 'captions are those of quotes and tables';
is_deeply captions('wikipedia'), ['How long it takes', 'Ada Example'], 'of each program';
is_deeply [grep { $found->{told}{$_} =~ /^Pictures were left out/ } sort keys %texts], [qw(hostile word)], 'pictures without an address are told';
is_deeply [@{$found}{qw(said refused)}], [[], []], 'the browser has nothing to say, and asks no other host'
	or diag explain $found;
ok !$found->{ran}, 'and ran nothing of a clipboard';
done_testing;
