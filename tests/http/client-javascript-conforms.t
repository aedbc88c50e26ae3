# clients/javascript/galley.mjs does what every client has to (tests/lib/Clients.pm).
use strict;
use warnings;
use lib 'tests/lib';
use Clients;

Clients::conform('node', 'tests/clients/driver.mjs');
