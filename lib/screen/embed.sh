#!/bin/sh
# embed.sh NAME FILE...   a C header that holds these style sheets as NAME_css, and 16 digits of
# their digest as NAME_CSS_DIGEST
set -eu
name=$1
shift
upper=$(printf %s "$name" | tr '[:lower:]' '[:upper:]')
printf '#define %s_CSS_DIGEST "%.16s"\n' "$upper" "$(cat "$@" | sha256sum)"
echo "static const char ${name}_css[] ="
cat "$@" | sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	    "/; s/$/\\n"/'
echo ';'
