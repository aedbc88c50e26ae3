#!/bin/sh
# run.sh BUILD WORD...: `make coverage`. Runs `tests/run.pl WORD...` with
# programs built with COVERAGE=1, and lets report.pl say what was executed.
#
# What is executed is counted in files of BUILD/counters, one for each program,
# which its processes map: whatever ends a process, whoever it runs as and
# whatever was taken from it (system/harden.h), its counts are there. Nothing in
# the programs knows of it. Each run adds to those before; `make coverage` of
# the whole suite begins with none.
set -eu
build=$1
shift
counters=build/coverage/counters

# Every user's processes write: the first, which makes the file, has no mask, and
# later ones that mask what they make find it there.
mkdir -p "$counters"
chmod 1777 "$counters"
for program in "$build"/cgi-bin/* "$build"/bin/* "$build"/test/cgi-bin/* \
	"$build"/test/bin/*; do
	case $program in
	*.[do]) continue ;;
	esac
	[ ! -x "$program" ] ||
		(umask 0 && "$program" --help </dev/null >/dev/null 2>&1) || true
done
# What ran while it was built has made files, too.
find "$counters" -type f -user "$(id -u)" -exec chmod a+rw {} +
if [ "$(id -u)" -eq 0 ] && ! setpriv --reuid=www-data --regid=www-data \
	--clear-groups test -x "$counters/."; then
	echo "www-data cannot enter $counters: clone into a folder that others may enter" >&2
	exit 2
fi

GALLEY_BUILD=$build exec perl tests/run.pl "$@"
