#!/bin/sh
# reports.sh empty FOLDER   begins with none; every user's programs write there
# reports.sh show FOLDER    prints what sanitizers or valgrind found, and fails
#                           where that is something
set -eu
folder=$2

case $1 in
empty)
	rm -rf "$folder"
	mkdir -p "$folder"
	chmod 1777 "$folder"
	if [ "$(id -u)" -eq 0 ] && ! setpriv --reuid=www-data \
		--regid=www-data --clear-groups test -w "$folder/."; then
		echo "www-data cannot enter $folder: clone into a folder that others may enter" >&2
		exit 2
	fi
	;;
show)
	found=0
	for report in "$folder"/*; do
		[ -s "$report" ] || continue
		cat "$report"
		found=$((found + 1))
	done
	echo "$found reports in $folder"
	[ "$found" -eq 0 ]
	;;
*)
	sed -n '2,4s/^# //p' "$0" >&2
	exit 2
	;;
esac
