#!/bin/sh
# run.sh BUILD WORD... is `make coverage`. It runs `tests/run.pl WORD...` with programs that are
# built with COVERAGE=1; report.pl then reports what was executed.
#
# The counts are in files of BUILD/counters, one for each program, which its processes map into
# their memory. So no count is lost, however a process ends, whichever user runs it and whatever
# rights it gave up (system/harden.h). The programs themselves contain nothing for this. Each run
# adds to the counts of earlier runs; `make coverage` of the whole suite starts at zero.
set -eu
build=$1
shift
counters=build/coverage/counters

# Processes of every user write these files. The first process, which makes the file, has no
# umask; later processes with a umask find the file there.
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
# Programs that ran during the build have made files, too.
find "$counters" -type f -user "$(id -u)" -exec chmod a+rw {} +
if [ "$(id -u)" -eq 0 ] && ! setpriv --reuid=www-data --regid=www-data \
	--clear-groups test -x "$counters/."; then
	echo "www-data cannot enter $counters: clone into a folder that others may enter" >&2
	exit 2
fi

GALLEY_BUILD=$build exec perl tests/run.pl "$@"
