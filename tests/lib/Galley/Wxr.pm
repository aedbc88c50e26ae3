# Builds export files as WordPress writes them.
#
#	my $text = wxr([{ id => 1, title => 'One', content => '<p>A</p>' }, ...]);
#
# An item's keys are named after the elements (name, status, type, password,
# content, excerpt, date_gmt, modified_gmt, link, creator, attachment_url);
# `meta` is a hash, `terms` a list of [DOMAIN, NAME].
package Galley::Wxr;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(wxr wxr_item);

sub cdata {
	my ($text) = @_;
	$text =~ s/\]\]>/]]]]><![CDATA[>/g;
	return "<![CDATA[$text]]>";
}

sub wxr_item {
	my ($item) = @_;
	my %item = (title => "Post $item->{id}", name => "post-$item->{id}",
		link => "https://garden.example/post-$item->{id}/",
		status => 'publish', type => 'post', password => '',
		creator => 'ada', content => '<p>Text.</p>', excerpt => '',
		date_gmt => '2024-05-06 05:08:09',
		modified_gmt => '2024-05-07 05:08:09', %$item);
	my $text = "\t<item>\n\t\t<title>" . cdata($item{title}) . "</title>\n"
		. "\t\t<link>$item{link}</link>\n"
		. "\t\t<dc:creator>" . cdata($item{creator}) . "</dc:creator>\n"
		. "\t\t<content:encoded>" . cdata($item{content})
		. "</content:encoded>\n"
		. "\t\t<excerpt:encoded>" . cdata($item{excerpt})
		. "</excerpt:encoded>\n"
		. "\t\t<wp:post_id>$item{id}</wp:post_id>\n";
	$text .= "\t\t<wp:$_->[0]>" . cdata($item{ $_->[1] }) . "</wp:$_->[0]>\n"
		for [post_date_gmt => 'date_gmt'],
			[post_modified_gmt => 'modified_gmt'],
			[post_name => 'name'], [status => 'status'],
			[post_type => 'type'], [post_password => 'password'];
	$text .= "\t\t<wp:attachment_url>" . cdata($item{attachment_url})
		. "</wp:attachment_url>\n" if defined $item{attachment_url};
	$text .= "\t\t<category domain=\"$_->[0]\" nicename=\"x\">" . cdata($_->[1])
		. "</category>\n" for @{ $item{terms} // [] };
	$text .= "\t\t<wp:postmeta><wp:meta_key>" . cdata($_)
		. '</wp:meta_key><wp:meta_value>' . cdata($item{meta}{$_})
		. "</wp:meta_value></wp:postmeta>\n"
		for sort keys %{ $item{meta} // {} };
	return "$text\t</item>\n";
}

sub wxr {
	my ($items, %option) = @_;
	my $site = $option{site} // 'https://garden.example';
	return <<"HEAD" . join('', map { wxr_item($_) } @$items)
<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"
	xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:wfw="http://wellformedweb.org/CommentAPI/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
	<title>Garden Notes</title>
	<link>$site</link>
	<language>en-US</language>
	<wp:wxr_version>1.2</wp:wxr_version>
	<wp:base_site_url>$site</wp:base_site_url>
	<wp:base_blog_url>$site</wp:base_blog_url>
	<wp:author><wp:author_login><![CDATA[ada]]></wp:author_login><wp:author_email><![CDATA[ada\@garden.example]]></wp:author_email><wp:author_display_name><![CDATA[Ada Brown]]></wp:author_display_name></wp:author>
HEAD
		. "</channel>\n</rss>\n";
}

1;
