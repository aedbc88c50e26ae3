# clients/python/galley.py does what every client has to (tests/lib/Clients.pm).
use strict;
use warnings;
use lib 'tests/lib';
use Clients;

Clients::conform('/usr/bin/python3', 'tests/clients/driver.py');
