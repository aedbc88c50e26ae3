# Proves that clients/php/Galley.php passes the checks of all clients (tests/lib/Clients.pm).
use strict;
use warnings;
use lib 'tests/lib';
use Clients;

Clients::conform('php', 'tests/clients/driver.php');
