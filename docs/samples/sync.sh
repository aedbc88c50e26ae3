#!/bin/sh
# Keeps articles/ID.json in step with a workspace. Run it from cron. It lists all
# each time, as suits up to 1,000 articles; for more take one of the others.
#
# GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... sh sync.sh
set -eu
ask() { curl -sS --fail-with-body --retry 4 -H "Authorization: Bearer $GALLEY_KEY" "$@"; }
mkdir -p articles

# All pages. curl encodes the cursor: as it stands it is no part of an address.
cursor='' workspace=''
: >listed
while :; do
	ask -G -o page.json -d limit=100 ${cursor:+--data-urlencode "cursor=$cursor"} "$GALLEY_URL/sync"
	workspace=$(sed -n 's/.*"workspace_id":"\([^"]*\)".*/\1/p' page.json)
	if [ "$(cat workspace 2>/dev/null || echo "$workspace")" != "$workspace" ]; then
		echo 'this is the key of another workspace' >&2
		exit 1
	fi
	# Lines of `ID REVISION`. In a title the quotes have backslashes.
	grep -o '"id":"[0-9a-f-]*"\|"revision":"[^"]*"' page.json | cut -d '"' -f 4 | paste -d ' ' - - >>listed
	cursor=$(sed -n 's/.*"next_cursor":"\([^"]*\)".*/\1/p' page.json)
	[ -n "$cursor" ] || break
done
echo "$workspace" >workspace

# What is listed with another revision than the one held is fetched. The ETag of
# the copy goes along: 304, and no body, where only the revision is another.
while read -r id revision; do
	[ "$(cat "articles/$id.revision" 2>/dev/null)" != "$revision" ] || continue
	code=$(ask -o new.json -D head -w '%{http_code}' \
		-H "If-None-Match: $(cat "articles/$id.etag" 2>/dev/null || echo '""')" \
		"$GALLEY_URL/articles/$id") || [ "$code" = 404 ]
	if [ "$code" = 200 ]; then
		mv new.json "articles/$id.json"
		sed -n 's/^[Ee][Tt][Aa][Gg]: *\(".*"\).*/\1/p' head >"articles/$id.etag"
	fi
	[ "$code" = 404 ] || echo "$revision" >"articles/$id.revision"
done <listed

# The feed tells of no deletion: what is held and was not listed is asked for, and
# only the API's own 404 removes.
: >gone
held=0
for file in articles/*.json; do
	[ -f "$file" ] || continue
	held=$((held + 1)) id=$(basename "$file" .json)
	! grep -q "^$id " listed || continue
	code=$(ask -o new.json -w '%{http_code}' "$GALLEY_URL/articles/$id") || [ "$code" = 404 ]
	[ "$code" != 404 ] || ! grep -q '"not_found"' new.json || echo "$id" >>gone
done
# So much at once is more likely a mistake: a person looks first.
count=$(wc -l <gone) allowed=${ALLOW_REMOVALS:-0}
[ "$allowed" -ge 10 ] || allowed=10
if [ "$count" -gt "$allowed" ] && [ $((count * 10)) -gt "$held" ]; then
	echo "$count would be removed; ALLOW_REMOVALS=$count allows it" >&2
	exit 1
fi
while read -r id; do
	rm "articles/$id.json" "articles/$id.etag" "articles/$id.revision"
done <gone
echo "$(wc -l <listed) articles"
