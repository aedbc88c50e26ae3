#!/bin/sh
# fill.sh FOLDER: makes the container's root file system out of the Debian in which it runs, as root.
# FOLDER has galley.tar.gz, the binary release, and the files of container/. Containerfile runs it, and
# so does make.sh with chroot. With COVERS=yes in the environment the built-in provider can draw covers; with QUICK=1 the
# programs are those of a build for tests, which take libraries of the system.
set -eu
umask 022
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH DEBIAN_FRONTEND=noninteractive

from=$1
release=/usr/lib/galley

# Nothing is started here.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 0755 /usr/sbin/policy-rc.d
apt-get update -q
# shellcheck disable=SC2046
apt-get install -qy --no-install-recommends -o Dpkg::Options::=--force-unsafe-io nginx ca-certificates \
	$([ -z "${COVERS:-}" ] || echo libpangocairo-1.0-0 fonts-dejavu-core) \
	$([ -z "${QUICK:-}" ] || echo libargon2-1 libqrencode4 libsqlite3-0 libb2-1 libjansson4 libutf8proc2 libcurl4)
rm -f /usr/sbin/policy-rc.d

mkdir -p "$release"
tar -xzf "$from/galley.tar.gz" -C "$release" --strip-components=1 --no-same-owner
[ -x "$release/setup" ]
install -d -m 0755 "$release/container"
install -m 0755 "$from/start.sh" "$release/container/start.sh"
install -m 0644 "$from/nginx.conf" "$release/container/nginx.conf"
# For people: the instance's own tool.
ln -sf /srv/galley/bin/galley /usr/local/bin/galley

# The one user. A new volume gets the owner of the folder where it is mounted.
useradd --system --uid 10001 --user-group --no-create-home --home-dir /srv/galley --shell /usr/sbin/nologin galley
install -d -m 0755 -o galley -g galley /srv/galley

# What nothing here reads: lists and archives of packages, manuals, and texts in other languages.
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /usr/share/man/* /usr/share/info/* /usr/share/locale/* \
	/usr/share/i18n /usr/share/zoneinfo /etc/nginx/sites-enabled/default
find /usr/share/doc -type f ! -name copyright -delete
find /usr/lib/x86_64-linux-gnu/gconv -type f -delete 2>/dev/null || true
# Where a run mounts a tmpfs here, it takes the mode of the folder.
chmod 1777 /run
# No program here becomes another user.
find / -xdev -type f -perm /6000 -exec chmod ug-s {} +
