#!/bin/sh
# embed.sh FILE   a C header that holds the style sheet FILE, and 16 digits of its digest
set -eu
printf '#define CONSOLE_CSS_DIGEST "%.16s"\n' "$(sha256sum "$1")"
echo 'static const char console_css[] ='
sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	    "/; s/$/\\n"/' "$1"
echo ';'
