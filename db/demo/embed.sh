#!/bin/sh
# Prints C source that holds the demo's files named as arguments: articles
# (LANGUAGE/NAME.md) and the pictures that they name (NAME.png).
set -eu

pictures=
articles=
for file; do
	case $file in
	*.png) pictures="$pictures $file" ;;
	*) articles="$articles $file" ;;
	esac
done

echo '#include "action/demo-actions.h"'
echo '#include <stddef.h>'
for file in $pictures; do
	echo "static const unsigned char $(basename "$file" .png)_png[] = {"
	od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/&,/g'
	echo '};'
done
echo 'const struct import_embedded demo_pictures[] = {'
for file in $pictures; do
	name=$(basename "$file" .png)
	printf '\t{ "%s.png", %s_png, sizeof(%s_png) },\n' \
		"$name" "$name" "$name"
done
echo '	{ NULL, NULL, 0 },'
echo '};'
echo 'const struct demo_document demo_documents[] = {'
for file in $articles; do
	language=$(basename "$(dirname "$file")")
	printf '\t{ "%s", "%s",\n' "$language" "$(basename "$file")"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/^/\t    "/; s/$/\\n"/' "$file"
	printf '\t},\n'
done
echo '	{ NULL, NULL, NULL },'
echo '};'
