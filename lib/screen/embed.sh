#!/bin/sh
# embed.sh [--script] NAME FILE...   a C header that holds these style sheets as NAME_css (scripts:
# NAME_js), and 16 digits of their digest as NAME_CSS_DIGEST (NAME_JS_DIGEST)
set -eu
kind=css
if [ "$1" = --script ]; then
	kind=js
	shift
fi
name=$1
shift
upper=$(printf %s "${name}_$kind" | tr '[:lower:]' '[:upper:]')
printf '#define %s_DIGEST "%.16s"\n' "$upper" "$(cat "$@" | sha256sum)"
printf 'static const char %s_%s[] =\n' "$name" "$kind"
cat "$@" | sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	    "/; s/$/\\n"/'
echo ';'
