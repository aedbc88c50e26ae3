<?php
require 'Galley.php';

$galley = new Galley\Galley('https://api.example.com/api/v1', getenv('GALLEY_KEY'));
echo $galley->connection()['workspace']['id'], "\n";
foreach ($galley->articles() as $article) {
    echo $article['title'], "\n";
}
