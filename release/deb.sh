#!/bin/sh
# deb.sh BUILD VERSION EPOCH  what `make deb` does: the packages of debian/, in BUILD/deb.
#
# They are built in a copy of the tree, which gets the changelog, what they are built with (the file
# `packages`), and the pinned sources of the libraries, so that the source package builds without a
# network. The copy's build/ is ours. With QUICK=1 no source package is made, and the programs are
# linked as for tests.
set -eu
umask 022

build=$(cd "$1" && pwd)
version=$2
epoch=$3
top=$build/deb/galley
QUICK=${QUICK:-}

rm -rf "$top" "$build/deb"/galley*_*
mkdir -p "$top"
git ls-files -z | tar -cf - --null -T - | tar -xf - -C "$top"

contact=$(sed -n 's/^Maintainer: //p' debian/control)
[ -z "${CONTACT:-}" ] || contact=$CONTACT
packages=$(sed -n '/^# build/,/^# run/p; /^# musl/,/^# fuzz/p; /^# postgresql/,/^$/p' packages |
	grep -E '^(lib.*-dev|[a-z].*)$' | grep -vE '^(libapache2-mod-fcgid|postgresql|apache2-bin|curl|dpkg-dev|gcc|libc6-dev|make)$' | LC_ALL=C sort -u)
for package in $packages; do echo " $package,"; done >"$top/depends"
sed -i -e "s|^Maintainer: .*|Maintainer: $contact|" -e "/^@BUILD_DEPENDS@/{
r $top/depends
d
}" "$top/debian/control"
rm "$top/depends"
cat >"$top/debian/changelog" <<END
galley ($version) unstable; urgency=medium

  * NEWS.md says what is new.

 -- $contact  $(LC_ALL=C date -u -d "@$epoch" '+%a, %d %b %Y %H:%M:%S +0000')
END

kind=-b
if [ -z "$QUICK" ]; then
	kind=-F
	mkdir "$build/deb/fetched"
	(cd "$build/deb/fetched" && for group in cgi tool; do
		MUSL_POOL=$top/musl/pool sh "$top/musl/fetch.sh" "$group" "$build/deb/fetched/of"
	done) >"$build/deb/fetch.log" 2>&1 ||
		{ echo "deb: the sources of the libraries cannot be had: $build/deb/fetch.log" >&2; exit 1; }
	rm -rf "$build/deb/fetched"
fi
ln -s "$build" "$top/build"
cd "$top"
# What they are built with is in the file `packages`, and quickstart has installed it.
SOURCE_DATE_EPOCH=$epoch dpkg-buildpackage -us -uc -d $kind --source-option=-Ibuild
ls "$build/deb"/*.deb
