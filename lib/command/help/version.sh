#!/bin/sh
# version.sh HEADER: writes what `galley --version` says of the release, if it changed: the
# release of the file VERSION, and the address for reports of holes. That address is the
# last committer's; sources without their history name SECURITY.md instead.
set -eu

header=$1
contact=$(git log -1 --format='%cn <%ce>' 2>/dev/null | tr -d '"\134') || contact=
printf '#define GALLEY_VERSION "%s"\n#define GALLEY_CONTACT "%s"\n' \
	"$(cat VERSION)" "${contact:-the maintainers, as SECURITY.md says}" >"$header.new"
if cmp -s "$header.new" "$header"; then
	rm "$header.new"
else
	mv "$header.new" "$header"
fi
