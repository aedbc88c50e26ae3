#!/bin/sh
# embed.sh [--script|--packed|--picture] NAME FILE...   a C header that holds these style sheets as
# NAME_css (scripts: NAME_js, one packed by gzip: NAME_gz, a picture: NAME_svg), and 16 digits of
# their digest as NAME_CSS_DIGEST (…). Of a script that is read as it is, comments in lines of their own
# and at the ends of lines, and the indentation, stay here.
set -eu
kind=css
case $1 in
--script) kind=js; shift ;;
--packed) kind=gz; shift ;;
--picture) kind=svg; shift ;;
esac
name=$1
shift
sent() {
	if [ $kind = js ]; then
		cat "$@" | sed 's/^[ 	]*//; /^\/\*.*\*\/$/d; /^\/\*/,/\*\/$/d; s/\([;,{]\) *\/\* [^*]* \*\/$/\1/; /^$/d'
	else
		cat "$@"
	fi
}
upper=$(printf %s "${name}_$kind" | tr '[:lower:]' '[:upper:]')
printf '#define %s_DIGEST "%.16s"\n' "$upper" "$(sent "$@" | sha256sum)"
printf 'static const char %s_%s[] =\n' "$name" "$kind"
if [ $kind = gz ]; then
	sent "$@" | gzip -9n | od -An -v -t o1 | sed 's/ /\\/g; s/^/	    "/; s/$/"/'
else
	sent "$@" | sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	    "/; s/$/\\n"/'
fi
echo ';'
