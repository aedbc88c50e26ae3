#!/bin/sh
# Prints C source that holds the demo articles named as arguments. The name of
# a file's folder is its language.
set -eu
echo '#include "command/demo.h"'
echo '#include <stddef.h>'
echo 'const struct demo_document demo_documents[] = {'
for file; do
	language=$(basename "$(dirname "$file")")
	printf '\t{ "%s", "%s",\n' "$language" "$(basename "$file")"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/^/\t    "/; s/$/\\n"/' "$file"
	printf '\t},\n'
done
echo '	{ NULL, NULL, NULL },'
echo '};'
