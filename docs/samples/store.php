<?php
require 'Galley.php';

$galley = new Galley\Galley('https://api.example.com/api/v1', getenv('GALLEY_KEY'));
$store = new Galley\FolderStore('articles');
$done = $galley->sync($store); // from cron, every ten minutes
foreach ($store->ids() as $id) {
    $article = $store->get($id)['article'];
    echo $article['slug'], "\t", $article['title'], "\n";
}
