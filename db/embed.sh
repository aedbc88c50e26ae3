#!/bin/sh
# embed.sh FILE...              C source that holds these migrations, in order
# embed.sh --text NAME FILE     a C header that holds the file's text as NAME
set -eu

text() {
	sed 's/\\/\\\\/g; s/"/\\"/g; s/^/\t    "/; s/$/\\n"/' "$1"
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
