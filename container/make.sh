#!/bin/sh
# make.sh BUILD RELEASE: what `make container` does: an image of the binary release with podman or
# buildah, or, where neither runs, a folder that enter.sh enters, made by the same fill.sh. It tells the
# size. As root, for the folder. With COVERS=yes in the environment it can draw covers.
set -eu
umask 022

build=$(cd "$1" && pwd)
from=$build/container/from
root=$build/container/root
COVERS=${COVERS:-} QUICK=${QUICK:-}

fail() {
	echo "container: $*" >&2
	exit 1
}

[ -f "$2" ] || fail "There is no binary release $2: make dist"
rm -rf "$from"
mkdir -p "$from"
cp container/Containerfile container/fill.sh container/start.sh container/nginx.conf "$from"
cp "$2" "$from/galley.tar.gz"

for tool in podman buildah; do
	! "$tool" info >/dev/null 2>&1 || {
		"$tool" build --format docker --build-arg COVERS="$COVERS" --build-arg QUICK="$QUICK" -t galley "$from"
		"$tool" images galley
		exit 0
	}
done

[ "$(id -u)" -eq 0 ] || fail "Neither podman nor buildah runs here, and only root can fill a folder instead."
base=build/roots/bookworm.tar
rm -rf "$root"
mkdir -p "$root"
if [ -f "$base" ]; then
	tar -xpf "$base" -C "$root"
else
	debootstrap --variant=minbase bookworm "$root"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/build"
# shellcheck disable=SC2016
COVERS=$COVERS QUICK=$QUICK unshare -m sh -euc '
	mount -t proc proc "$1/proc"
	mount --bind "$2" "$1/build"
	exec chroot "$1" sh /build/fill.sh /build' sh "$root" "$from" >"$build/container/fill.log" 2>&1 ||
	{ tail -n 20 "$build/container/fill.log" >&2; fail "See $build/container/fill.log."; }
rmdir "$root/build"
rm -f "$root/etc/resolv.conf"
echo "container: Neither podman nor buildah runs here. The folder $root has $(du -sxm "$root" | cut -f 1) MB: sh container/enter.sh $root VOLUME"
