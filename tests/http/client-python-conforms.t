# Proves that clients/python/galley.py passes the checks of all clients (tests/lib/Clients.pm).
use strict;
use warnings;
use lib 'tests/lib';
use Clients;

Clients::conform('/usr/bin/python3', 'tests/clients/driver.py');
