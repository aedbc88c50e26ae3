#!/bin/sh
# embed.sh FILE...              C source that holds these migrations, in order
# embed.sh --text NAME FILE     a C header that holds the file's text as NAME
set -eu

# The file's text as C strings, without its comments: SQLite would keep those in the
# schema and read them at every start.
text() {
	printf '\t    ""\n'
	sed 's/[[:space:]]*--.*//; /^$/d' "$1" |
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/\t    "/; s/$/\\n"/'
}

if [ "$1" = --text ]; then
	printf 'static const char %s[] =\n' "$2"
	text "$3"
	echo ';'
	exit
fi
echo '#include <stddef.h>'
echo '#include "store/migrate.h"'
echo 'const struct migration migrations[] = {'
for file; do
	number=$(basename "$file" | sed 's/^0*//; s/-.*//')
	printf '\t{ %s, "%s",\n' "$number" "$(basename "$file")"
	text "$file"
	printf '\t},\n'
done
echo '	{ 0, NULL, NULL },'
echo '};'
