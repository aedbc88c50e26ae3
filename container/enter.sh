#!/bin/sh
# enter.sh ROOT [VOLUME [OPTION...]]: starts what `make container` filled without podman, as a container
# is started: as its user, with a root that is read-only, its own processes, /tmp and /run in memory and
# the folder VOLUME as its volume, which OPTION mounts (-o ro). GALLEY_… of the environment reach it. Its
# network is the machine's, or with NETWORK=own one that has only 127.0.0.1. As root.
set -eu

root=$(readlink -f "$1")
volume=${2:-}
shift
[ $# -eq 0 ] || shift
own=''
[ "${NETWORK:-}" != own ] || own=--net

# shellcheck disable=SC2016
exec unshare --mount --pid --fork --kill-child $own sh -euc '
	root=$1 volume=$2 own=$3
	shift 3
	[ -z "$own" ] || ip link set lo up
	mount --bind "$root" "$root"
	mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
	for folder in tmp run; do
		mount -t tmpfs -o mode=1777,nosuid,nodev,size=64m tmpfs "$root/$folder"
	done
	mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
	for device in null zero full random urandom; do
		: >"$root/dev/$device"
		mount --bind "/dev/$device" "$root/dev/$device"
	done
	ln -s /proc/self/fd "$root/dev/fd"
	if [ -n "$volume" ]; then
		mount --bind "$volume" "$root/srv/galley"
		[ $# -eq 0 ] || mount -o "remount,bind,${2:-ro}" "$root/srv/galley"
	fi
	mount -o remount,bind,ro "$root"
	exec chroot "$root" setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all \
		/usr/lib/galley/container/start.sh' sh "$root" "$volume" "$own" "$@"
