# Debian's WordPress in a throw-away root, with MariaDB, Apache and the plugin of clients/wordpress, and
# a browser for it. WordPress reaches an instance of Galley as https://galley.test (tests/wordpress).
#
#	my $site = Galley::WordPress->new($galley, $server);
#	$site->ask('return get_option("blogname");');
package Galley::WordPress;

use strict;
use warnings;

use Galley ();
use Galley::JSON ();
use Galley::Process qw(patience);
use Galley::Root;
use Galley::Server;
use HTTP::Tiny ();
use IPC::Open2 qw(open2);
use POSIX ();
use Time::HiRes qw(sleep);

# Texts are bytes in the tests, and on both pipes.
my $json = Galley::JSON->new->allow_nonref;
my @packages = qw(apache2 libapache2-mod-php mariadb-server php-gd php-mysql wordpress
	wordpress-theme-twentytwentythree);

sub missing { return Galley::Root::missing() }

sub new {
	my ($class, $server) = @_;
	my $root = Galley::Root->kept('bookworm', @packages);
	my $self = bless { root => $root, port => Galley::Server::free_port(), process => $$ }, $class;
	$self->{content} = '/var/lib/wordpress/wp-content';
	$self->furnish($server);
	$self->start;
	return $self;
}

sub root { return $_[0]{root} }
sub port { return $_[0]{port} }
sub url { return "http://127.0.0.1:$_[0]{port}" }

sub furnish {
	my ($self, $server) = @_;
	my ($root, $content, $port) = @$self{qw(root content port)};
	$root->write('/etc/hosts', "127.0.0.1 localhost galley.test\n");
	$self->{config} = <<"END";
<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'www-data');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:/run/mysqld/mysqld.sock');
define('WP_CONTENT_DIR', '$content');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_MEMORY_LIMIT', '256M');
define('WP_MAX_MEMORY_LIMIT', '256M');
define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', false);
define('WP_DEBUG_LOG', '/tmp/debug.log');
define('GALLEY_AT', '@{[ $server->url ]}');
define('WP_HOME', 'http://127.0.0.1:$port');
define('WP_SITEURL', WP_HOME);
END
	$root->write('/etc/wordpress/config-127.0.0.1.php', $self->{config});
	$root->write('/etc/apache2/ports.conf', "Listen 127.0.0.1:$port\nServerName 127.0.0.1\n");
	$root->write('/etc/apache2/sites-available/000-default.conf', <<"END");
<VirtualHost 127.0.0.1:$port>
DocumentRoot /usr/share/wordpress
Alias /wp-content $content
<Directory /usr/share/wordpress>
Require all granted
Options FollowSymLinks
DirectoryIndex index.php
FallbackResource /index.php
</Directory>
<Directory $content>
Require all granted
Options FollowSymLinks
</Directory>
</VirtualHost>
END
	my $top = Galley::top();
	for my $copy ("clients/wordpress/galley-sync $content/plugins", "tests/wordpress/loader.php $content/mu-plugins",
		'tests/wordpress/wp.php /srv') {
		my ($from, $to) = split ' ', $copy;
		$root->run("mkdir -p $to");
		Galley::Process::run_program(['cp', '-r', "$top/$from", $root->path("$to/")]);
	}
	$root->run("chown -R www-data:www-data /var/lib/wordpress && chmod 1777 /tmp && a2enmod -q php8.2 rewrite");
}

# The database is reached by its socket only; everything ends with the root.
sub start {
	my ($self) = @_;
	my $root = $self->{root};
	my $done = $root->run(<<'END' =~ s/\n/ && /gr =~ s/ && \z//r, seconds => 600);
mkdir -p /run/mysqld && chown mysql /run/mysqld
rm -rf /var/lib/mysql/* && mysql_install_db --user=mysql --skip-test-db >/dev/null
(setsid mysqld --user=mysql --skip-networking --innodb-flush-log-at-trx-commit=0 --innodb-use-native-aio=0 </dev/null >/tmp/mysqld.log 2>&1 &)
for i in $(seq 600); do mysqladmin ping >/dev/null 2>&1 && break; sleep 0.1; done
mysql -e "CREATE DATABASE wordpress; CREATE USER 'www-data'@localhost IDENTIFIED VIA unix_socket; GRANT ALL ON wordpress.* TO 'www-data'@localhost"
END
	die "MariaDB: $done->{out}$done->{err}" . $root->run('tail /tmp/mysqld.log')->{out} if $done->{exit};
	$done = $root->run('. /etc/apache2/envvars && mkdir -p /run/apache2 /run/lock && apache2 -k start', network => 1);
	die "Apache: $done->{err}" if $done->{exit};
	$self->ask('require ABSPATH . "wp-admin/includes/upgrade.php"; wp_install("A site", "admin", "admin@example.com", true, "",'
		. ' "correct horse"); return 1;',
		INSTALLING => 1);
	$self->ask('global $wp_rewrite; $wp_rewrite->set_permalink_structure("/%postname%/"); flush_rewrite_rules(); return 1;');
	$self->ask('require ABSPATH . "wp-admin/includes/plugin.php"; foreach (get_posts(["post_type" => "any"]) as $post)'
		. ' wp_delete_post($post->ID, true); return activate_plugin("galley-sync/galley-sync.php");');
}

sub shell {
	my ($self, $words, %option) = @_;
	return $self->{root}->run("SITE=127.0.0.1:$self->{port} " . ($option{environment} // '')
		. " php -d memory_limit=256M /srv/wp.php $words", network => 1, seconds => $option{seconds} // 300,
		user => $option{user} // 'www-data', in => '/tmp', input => $option{input} // '');
}

# Runs PHP in WordPress, and returns what that returns.
sub ask {
	my ($self, $code, %environment) = @_;
	my $done = $self->shell('', input => $code, environment => join ' ', map { "$_=$environment{$_}" } keys %environment);
	my $value = eval { $json->decode($done->{out} =~ s/.*\n(?=.)//sr) };
	die "PHP: $code: $done->{out}$done->{err}" . $self->{root}->run('tail /tmp/debug.log')->{out} if $@ || $done->{exit};
	return $value;
}

# The command `wp galley WORDS`: {exit, out, err}.
sub wp {
	my ($self, $words) = @_;
	return $self->shell($words);
}

# What cron's line would start.
sub cron {
	my ($self) = @_;
	return HTTP::Tiny->new(timeout => 300)->get($self->url . '/wp-cron.php?doing_wp_cron');
}

sub add_config {
	my ($self, $lines) = @_;
	$self->{root}->write('/etc/wordpress/config-127.0.0.1.php', $self->{config} . $lines);
}

# ---- the browser

sub browser {
	my ($self, @words) = @_;
	$self->{browser} //= open2($self->{from}, $self->{to}, 'node', Galley::top() . '/tests/node/wordpress.mjs');
	my ($to, $from) = @$self{qw(to from)};
	print $to $json->encode(\@words), "\n";
	$to->flush;
	my $answer = $json->decode(scalar(<$from>) // die 'the browser has ended');
	die "@words: $answer->{error}" if defined $answer->{error};
	return $answer->{is};
}

sub open {
	my ($self, $path) = @_;
	return $self->browser('open', $self->url . $path);
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@);
	if ($self->{browser}) {
		close $self->{to};
		waitpid $self->{browser}, 0;
	}
	delete $self->{root};
}

1;
