#!/bin/sh
# run.sh COMMAND [WORD...]: `make check-loaded`. Runs it beside ten busy loops, as on
# a machine that has no time for it, without the limits of time that the tests have
# for a quiet one. What fails so is a defect, of the program or of the test.
#
# The loops end with this process, whatever ends it, and after LOADED_SECONDS (7200).
set -u
loops=''
while [ "$(echo "$loops" | wc -w)" -lt 10 ]; do
	perl -e '
		my ($parent, $end) = (getppid, time + shift);
		while (time < $end && getppid == $parent) {
			1 for 1 .. 1_000_000;
		}' "${LOADED_SECONDS:-7200}" &
	loops="$loops $!"
done
# shellcheck disable=SC2064,SC2086 # the numbers, as they are now
trap "kill $loops 2>/dev/null" EXIT
trap 'exit 1' HUP INT TERM
GALLEY_PATIENCE=100
export GALLEY_PATIENCE
"$@"
