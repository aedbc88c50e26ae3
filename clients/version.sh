#!/bin/sh
# version.sh: writes the version of the file VERSION into the packages of the clients and the
# WordPress plugin, as each of them spells it. `version.sh --check` only says which differ.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
python=$(printf %s "$version" | sed 's/-dev$/.dev0/')
wrong=

# put FILE EXPRESSION: changes FILE with sed, where that changes something.
put() {
	new=$(mktemp)
	sed "$2" "$1" >"$new"
	if ! cmp -s "$new" "$1"; then
		wrong="$wrong $1"
		[ "${check-}" ] || cat "$new" >"$1"
	fi
	rm "$new"
}

[ "${1-}" != --check ] || check=1
put clients/python/pyproject.toml "s/^version = .*/version = \"$python\"/"
put clients/javascript/package.json "s/^\(  \"version\": \).*/\1\"$version\",/"
put clients/php/composer.json "s/^\(    \"version\": \).*/\1\"$version\",/"
plugin=clients/wordpress/galley-sync
if [ -d "$plugin" ]; then
	put "$plugin/galley-sync.php" "s/^\( \* Version: *\).*/\1$version/"
	put "$plugin/readme.txt" "s/^\(Stable tag: *\).*/\1$version/"
fi
[ -z "$wrong" ] || echo "not of version $version:$wrong"
[ -z "$wrong" ] || [ -z "${check-}" ]
