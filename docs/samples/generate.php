<?php
require 'Galley.php';

$galley = new Galley\Galley('https://api.example.com/api/v1', getenv('GALLEY_KEY'));
// The name of the intended job: the same again is the same job.
$job = $galley->generate('Composting in winter', 'compost-in-winter', ['maxCredits' => 40]);
echo $job['article_id'], ' for ', $job['cost'], " credits\n";
