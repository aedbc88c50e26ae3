#!/bin/sh
# fill.sh PACKAGE-FOLDER NAME TARBALL...: unpacks the one tarball that is there, a binary release, as
# PACKAGE-FOLDER/usr/lib/NAME, with what a package has besides.
set -eu

folder=$1
name=$2
shift 2
to=$folder/usr/lib/$name
mkdir -p "$to"
for tarball; do
	[ ! -f "$tarball" ] || tar -xzf "$tarball" -C "$to" --strip-components=1 --no-same-owner
done
[ -x "$to/setup" ]
if [ ! -e "$to/bin/galley-unpack" ] && [ "$name" = galley ]; then
	strip -o "$to/bin/galley-unpack" build/bin/galley-unpack
	chmod 0755 "$to/bin/galley-unpack"
fi
chmod 0755 "$to/closed.sh"
# dpkg has the licence, NEWS and the documents elsewhere.
(cd "$to" && rm -f LICENSE NEWS.md README.md SECURITY.md INSTALL.md SHA256SUMS &&
	find . -type f | LC_ALL=C sort | sed 's|^\./||' | xargs sha256sum >../sums && mv ../sums SHA256SUMS)
[ "$name" = galley ] || exit 0
install -D -m 0755 debian/galley-instance "$folder/usr/sbin/galley-instance"
for page in "$to"/share/man1/*.1; do
	install -D -m 0644 "$page" "$folder/usr/share/man/man1/${page##*/}"
done
install -D -m 0644 "$to/share/completions/galley" "$folder/usr/share/bash-completion/completions/galley"
