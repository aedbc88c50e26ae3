# Proves that clients/javascript/galley.mjs passes the checks of all clients
# (tests/lib/Clients.pm).
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use Clients;

Clients::conform('node', 'tests/clients/driver.mjs');
