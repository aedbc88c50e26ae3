<?php

// Plays WP-CLI, as far as the plugin's commands need it: php wp.php COMMAND [--OPTION[=VALUE]]. Without a command
// it runs the PHP of standard input in WordPress, and prints what that returns as JSON.

define('WP_CLI', true);
$_SERVER += ['HTTP_HOST' => getenv('SITE'), 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
final class WP_CLI
{
    public static array $commands = [];

    public static function add_command(string $name, string $class): void
    {
        self::$commands[$name] = $class;
    }

    public static function log(string $text): void
    {
        echo "$text\n";
    }

    public static function success(string $text): void
    {
        echo "Success: $text\n";
    }

    public static function error(string $text): never
    {
        fwrite(STDERR, "Error: $text\n");
        exit(1);
    }

    public static function halt(int $status): never
    {
        exit($status);
    }

    public static function confirm(string $question, array $options): void
    {
        isset($options['yes']) || self::error($question);
    }
}

if (getenv('INSTALLING')) {
    define('WP_INSTALLING', true);
}
require '/usr/share/wordpress/wp-load.php';
if ($argc === 1) {
    echo json_encode(eval(stream_get_contents(STDIN)), JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), "\n";
    exit;
}
$options = [];
foreach (array_slice($argv, 2) as $word) {
    [$name, $value] = explode('=', substr($word, 2), 2) + [1 => true];
    $options[$name] = $value;
}
(new WP_CLI::$commands['galley']())->{$argv[1]}([], $options);
