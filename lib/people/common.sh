#!/bin/sh
# common.sh FILE: a C header that holds the hashes of FILE (common.txt) as bytes.
set -eu

echo 'static const unsigned char common_hashes[] = {'
sed 's/ //g; s/../0x&,/g; s/^/\t/' "$1"
echo '};'
