#!/bin/sh
# embed.sh --list NAME FILE...  C source that holds these files in order as the list NAME, with
#                               the numbers that their names begin with
# embed.sh --text NAME FILE     a C header that holds the file's text as NAME
set -eu

# The file's text as C strings, without its comments: SQLite would keep those in the
# schema and read them at every start.
text() {
	printf '\t    ""\n'
	sed 's/[[:space:]]*--.*//; /^$/d' "$1" |
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/\t    "/; s/$/\\n"/'
}

what=$1
name=$2
shift 2
if [ "$what" = --text ]; then
	printf 'static const char %s[] =\n' "$name"
	text "$1"
	echo ';'
	exit
fi
printf '#include <stddef.h>\n#include "store/schemas.h"\n'
printf 'extern const struct migration %s[];\nconst struct migration %s[] = {\n' "$name" "$name"
for file; do
	number=$(basename "$file" | sed 's/^0*//; s/[-.].*//')
	printf '\t{ %s, "%s",\n' "$number" "$(basename "$file")"
	text "$file"
	printf '\t},\n'
done
echo '	{ 0, NULL, NULL },'
echo '};'
