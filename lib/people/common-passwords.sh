#!/bin/sh
# common-passwords.sh FILE: a C header that holds the hashes of FILE (common-passwords.txt) as one string, with the
# zero of its end: readers of C take a string for one word, and a list for 100,000.
set -eu

echo 'static const unsigned char common_hashes[] ='
sed 's/ //g; s/../\\x&/g; s/.*/\t"&"/' "$1"
echo ';'
