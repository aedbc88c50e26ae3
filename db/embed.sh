#!/bin/sh
# Prints C source that holds the migrations named as arguments, in order.
set -eu
echo '#include <stddef.h>'
echo '#include "store/migrate.h"'
echo 'const struct migration migrations[] = {'
for file; do
	number=$(basename "$file" | sed 's/^0*//; s/-.*//')
	printf '\t{ %s, "%s",\n' "$number" "$(basename "$file")"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/^/\t    "/; s/$/\\n"/' "$file"
	printf '\t},\n'
done
echo '	{ 0, NULL, NULL },'
echo '};'
