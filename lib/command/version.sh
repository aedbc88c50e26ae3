#!/bin/sh
# version.sh HEADER: writes what `galley --version` says of the release, if it changed: the
# release of the file VERSION, and where to report holes. That is CONTACT of the environment,
# else the last committer's address. An address to which no mail comes is not printed.
set -eu

header=$1
contact=${CONTACT-}
if [ -z "$contact" ]; then
	contact=$(git log -1 --format='%cn <%ce>' 2>/dev/null) || contact=
fi
case $contact in
*noreply* | *.example\> | *.invalid\> | *.test\> | *.local\> | *.localdomain\> | *@localhost\> | '')
	contact='those who made this release: SECURITY.md says how' ;;
esac
printf '#define GALLEY_VERSION "%s"\n#define GALLEY_CONTACT "%s"\n' "$(cat VERSION)" \
	"$(printf %s "$contact" | tr -d '"\134\n')" >"$header.new"
if cmp -s "$header.new" "$header"; then
	rm "$header.new"
else
	mv "$header.new" "$header"
fi
