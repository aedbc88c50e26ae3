#!/bin/sh
# install.sh INSTANCE PROGRAM...  what `make install PREFIX=INSTANCE` does.
#
# Makes the folders of an instance and puts the programs into them, each into
# cgi-bin/ or bin/ by the folder that it comes from, and the assets. Over an
# existing instance it replaces programs and assets only; what `galley init`
# makes (galley.conf, the database, the pepper) is never touched. Each file
# appears whole, so that a running server may go on.
#
# Programs are named by absolute paths or from the source folder on.
set -eu
umask 022

fail() {
	echo "install: $*" >&2
	exit 2
}

instance=${1:-}
[ -n "$instance" ] || fail 'say make install PREFIX=DIR'
shift
[ ! -e "$instance/install.sh" ] || fail 'PREFIX must not be a source folder'
mkdir -p "$instance" || fail "$instance cannot be made"
instance=$(cd "$instance" && pwd)
cd "$(dirname "$0")"

put() {
	install -m "$1" "$2" "$3.new"
	mv "$3.new" "$3"
}

for folder in $(find htdocs -type d) htdocs/media apache-conf cgi-bin bin; do
	[ -d "$instance/$folder" ] || install -d -m 0755 "$instance/$folder"
done
for folder in db run log; do
	[ -d "$instance/$folder" ] || install -d -m 0700 "$instance/$folder"
done

# For an instance that lies below a web server's folder (shared hosting).
for folder in bin db run log; do
	deny=$instance/$folder/.htaccess
	[ ! -f "$deny" ] || continue
	echo 'Require all denied' >"$deny"
	chown --reference="$instance/$folder" "$deny"
done

for program in "$@"; do
	kind=$(basename "$(dirname "$program")")
	put 0755 "$program" "$instance/$kind/$(basename "$program")"
done
for asset in $(find htdocs -type f ! -name '.*' ! -path 'htdocs/media/*') \
	apache-conf/galley.conf apache-conf/htaccess; do
	put 0644 "$asset" "$instance/$asset"
done
