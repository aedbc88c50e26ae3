<?php

// Prints the plugin's copy of the PHP client: in a namespace of its own, since another plugin may
// bring the client, too; closed to direct requests; and without what the plugin replaces.
//
//     php tests/clients/wordpress-client.php >clients/wordpress/galley-sync/includes/client.php

declare(strict_types=1);

$text = file_get_contents(__DIR__ . '/../../clients/php/Galley.php');

/** Replaces what must be there once. */
function once(string $pattern, string $by, string $text): string
{
    $text = preg_replace($pattern, $by, $text, -1, $count);
    return $count === 1 ? $text : throw new RuntimeException("$count times: $pattern");
}

$text = once('/^namespace Galley;$/m', "namespace GalleySync\\Client;\n\ndefined('ABSPATH') || exit;", $text);
$text = once('~/\*\* Articles as files:.*?^}\n\n~ms', '', $text);
$text = once('~    /\*\* @return array\{int, string, string\} status, lines.*?^    }\n\n~ms', '', $text);
$text = once('/Closure::fromCallable\(\$transport \?\? \[self::class, \'stream\'\]\)/', 'Closure::fromCallable($transport)', $text);
$text = once('~^/\*\*\n \* Galley\'s publishing API.*?\*/~ms', "/*\n * Made of clients/php/Galley.php by tests/clients/wordpress-client.php.\n */", $text);
echo $text;
