<?php
require 'Galley.php';

$body = file_get_contents('php://input');
$signature = $_SERVER['HTTP_GALLEY_SIGNATURE'] ?? null;
if (!Galley\ping_checks(getenv('GALLEY_PING_SECRET'), $body, $signature)) {
    http_response_code(400);
    exit;
}
http_response_code(204);
touch('articles/changed'); // cron synchronizes when this file is there
