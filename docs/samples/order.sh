#!/bin/sh
# GALLEY_URL=... GALLEY_KEY=ab_live_... sh order.sh compost-in-winter
set -eu
ask() { curl -sS --fail-with-body -H "Authorization: Bearer $GALLEY_KEY" "$@"; }
value() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" job.json; }

# The most that jobs cost now.
ask "$GALLEY_URL/pricing"; echo

# The name of the intended job is its Idempotency-Key: run this again, and you
# get the same job.
ask -o job.json -H "Idempotency-Key: ${1:-compost-in-winter}" \
	-d '{"topic": "Composting in winter", "maxCredits": 40}' \
	"$GALLEY_URL/generate"

# At most half an hour: soon at first, then every 10 seconds.
job=$(value job_id) waited=0
for wait in 1 2 3 5 $(seq 180 | sed 's/.*/10/'); do
	sleep "$wait"
	ask -o job.json "$GALLEY_URL/jobs/$job"
	case $(value status) in completed | failed) break ;; esac
	waited=$((waited + wait))
	[ $waited -lt 1800 ] || break
done
cat job.json; echo
