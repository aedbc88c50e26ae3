#!/bin/sh
# dist.sh BUILD NAME MUSL COVER FILE...  what `make dist` does.
#
# Makes the binary release BUILD/NAME.tar.gz, and its checksum beside it: the
# programs and pages FILE, as `make install` is given them, without their debugging
# symbols, the assets, and the script `setup` that makes an instance of all that.
# COVER is galley-cover, which needs the Pango of the host, and may be galley-picture besides, which needs
# the host's C library. The same sources make
# the same bytes; SOURCE_DATE_EPOCH in the environment is their date, and DIST_LEVEL how
# hard gzip tries (9): a test needs no small archive. MUSL is the folder of
# musl/build.sh, with the licences of what the programs are linked with. Without it ('') the
# programs are those of the build for PostgreSQL, which take shared libraries: the archive's
# file PACKAGES names the packages of this system that have them, letters for covers, and Apache's
# FastCGI.
set -eu
umask 022

build=$1
name=$2
musl=$3
cover=$4
shift 4
top=$build/dist/$name

rm -rf "$build/dist"
mkdir -p "$top"
for folder in $(find htdocs -type d) apache-conf nginx bin cgi-bin share/man1 \
	share/completions share/zoneinfo htdocs/docs htdocs/clients docs; do
	mkdir -p "$top/$folder"
done

program() {
	strip -o "$top/$2" "$1"
	chmod 0755 "$top/$2"
}

put() {
	install -m 0644 "$1" "$top/$2"
}

for file; do
	kind=${file%/*}
	kind=${kind##*/}
	case $kind in
	bin | cgi-bin) program "$file" "$kind/${file##*/}" ;;
	apache-conf | nginx) put "$file" "$kind/${file##*/}" ;;
	man1 | completions) put "$file" "share/$kind/${file##*/}" ;;
	*) put "$file" "htdocs/${file##*/htdocs/}" ;;
	esac
done
for file in $cover; do
	program "$file" "bin/${file##*/}"
done
for asset in $(find htdocs -type f ! -name '.*' ! -path 'htdocs/media/*') \
	$(find apache-conf nginx -type f ! -name '*.in' ! -name make.sh \
		! -name private-apache); do
	put "$asset" "$asset"
done
for file in INSTALL.md LICENSE NEWS.md README.md SECURITY.md; do
	put "$file" "$file"
done
install -m 0755 release/install.sh release/upgrade.sh setup "$top"
put release/closed.sh closed.sh
put docs/embed.md docs/embed.md
put docs/provider.md docs/provider.md
# Time zones, for hosts that have none (lib/system/zone.h): the 312 that Settings offer, of
# the machine that builds, 0.1 MB of the archive.
there=$(cd "$top/share/zoneinfo" && pwd)
(cd /usr/share/zoneinfo &&
	sed -n '/^#/!s/^[^	]*	[^	]*	\([^	]*\).*/\1/p' zone1970.tab |
	xargs cp -L --parents -t "$there" zone1970.tab)
chmod -R u=rwX,go=rX "$there"
licences() {
	for library; do
		printf '======== %s\n\n' "$(basename "$library")"
		cat "$library"
		echo
	done
	# Those of galley-picture, and of the programs beside it.
	for library in libjpeg libpng16 libwebp $apart; do
		library=$(readlink -f "$(gcc -print-file-name="$library.a")")
		package=$(dpkg-query -S "$library" || dpkg-query -S "/usr$library")
		printf '======== %s\n\n' "$(basename "$library" .a)"
		cat "/usr/share/doc/${package%%:*}/copyright"
		echo
	done
}

# Prints the packages of the libraries that the programs name themselves. A folder of the
# system may be a link to another one, and a package knows its files by either name.
packages() {
	for program in "$top"/bin/* "$top"/cgi-bin/*; do
		names=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
		ldd "$program" | while read -r library _ path _; do
			case " $(echo "$names" | tr '\n' ' ') " in
			*" $library "*) echo "$path" ;;
			esac
		done
	done | LC_ALL=C sort -u >"$top.libraries"
	while read -r path; do
		dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "${path#/usr}" 2>/dev/null ||
			dpkg-query -S "/usr$path" || return 1
	done <"$top.libraries" >"$top.packages" || return 1
	{ sed 's/:.*//' "$top.packages"; printf '%s\n' fonts-dejavu-core libapache2-mod-fcgid; } | LC_ALL=C sort -u
	rm "$top.libraries" "$top.packages"
}

if [ -n "$musl" ]; then
	apart=''
	licences "$musl"/copyright/* >"$top/LIBRARIES"
else
	apart='libb2 libutf8proc'
	licences >"$top/LIBRARIES"
	packages >"$top/PACKAGES"
fi
(cd "$top" && find . -type f | LC_ALL=C sort | sed 's|^\./||' |
	xargs sha256sum >../SHA256SUMS && mv ../SHA256SUMS .)

tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
	--format=ustar -C "$build/dist" -cf - "$name" | gzip "-${DIST_LEVEL:-9}n" \
	>"$build/$name.tar.gz"
(cd "$build" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
rm -rf "$build/dist"
echo "$build/$name.tar.gz"
