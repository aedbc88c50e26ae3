#!/bin/sh
# run.sh BUILD SECONDS [TARGET...] lets libFuzzer try each target for SECONDS, from the
# committed inputs and the interesting inputs of earlier runs. It exits with 1 when it found a
# fault, and names the input.
set -eu
build=$1 seconds=$2
shift 2
here=$(dirname "$0")
failed=0
if [ $# -eq 0 ]; then
	for source in "$here"/*.c; do
		target=$(basename "$source" .c)
		[ "$target" = fuzz ] || set -- "$@" "$target"
	done
fi
for target; do
	mkdir -p "$build/corpus/$target" "$build/found" "$here/corpus/$target"
	log=$build/found/$target.log
	if ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		"$build/tests/fuzz/$target" -max_total_time="$seconds" \
		-max_len=16384 -timeout=20 -rss_limit_mb=3000 \
		-print_final_stats=1 -artifact_prefix="$build/found/$target-" \
		"$build/corpus/$target" "$here/corpus/$target" \
		>"$log" 2>&1; then
		echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' \
			"$log") executions, nothing found"
	else
		echo "$target: a fault; see $log"
		failed=1
	fi
done
exit $failed
