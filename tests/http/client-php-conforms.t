# clients/php/Galley.php does what every client has to (tests/lib/Clients.pm).
use strict;
use warnings;
use lib 'tests/lib';
use Clients;

Clients::conform('php', 'tests/clients/driver.php');
