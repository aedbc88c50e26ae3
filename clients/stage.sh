#!/bin/sh
# stage.sh python|javascript|php FOLDER: makes the folder of which a registry's package is built,
# with the licence, the manual and the changes beside the single file. That of php is also the top
# folder of a repository for Packagist. Publishing is the owner's.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${2:?stage.sh python|javascript|php FOLDER}
case $1 in python | javascript | php) ;; *)
	echo "stage.sh: there is no client for $1" >&2
	exit 2 ;;
esac
sh "$here/version.sh" --check
mkdir -p "$to"
cp "$here/../LICENSE" "$here/README.md" "$here/CHANGELOG.md" "$to"
case $1 in
python)
	# Types need a package folder (PEP 561).
	mkdir -p "$to/galley"
	cp "$here/python/pyproject.toml" "$to"
	cp "$here/python/galley.py" "$to/galley/__init__.py"
	: >"$to/galley/py.typed" ;;
javascript)
	cp "$here/javascript/package.json" "$here/javascript/galley.mjs" "$here/javascript/galley.d.mts" "$to" ;;
php)
	cp "$here/php/composer.json" "$here/php/Galley.php" "$to" ;;
esac
