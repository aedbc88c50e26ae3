#!/bin/sh
# musl/library.sh NAME FOLDER: builds the library whose source is the present
# folder with musl, and puts it into FOLDER/lib and FOLDER/include.
#
# SQLite is compiled with a profile of what requests do with it: a read takes a twelfth
# less of a processor. `sqlite3` leaves one in FOLDER/counting that counts, with its
# source; `sqlite3-trained` compiles that source again by the counts of train.pl. Where
# that cannot be done this fails: the library of all builders is the same, or there is
# none.
set -eu

out=$2
# Nothing of the day or of this machine's folders gets into the libraries.
SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH

flags="-O2 -fPIE -ffunction-sections -fdata-sections -fno-strict-aliasing"
flags="$flags -fstack-protector-strong -D_FORTIFY_SOURCE=0"
# The linker would put a short text of ours where a long one of theirs ends with it,
# far from all others.
flags="$flags -fno-merge-constants"

sqlite_flags='-DSQLITE_THREADSAFE=0 -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_DQS=0
	-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_SHARED_CACHE
	-DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_PROGRESS_CALLBACK
	-DSQLITE_USE_ALLOCA -DHAVE_USLEEP=1 -DHAVE_PREAD=1 -DHAVE_PWRITE=1
	-DUSE_PREAD=1 -DSQLITE_DEFAULT_PCACHE_INITSZ=0
	-DSQLITE_DEFAULT_LOOKASIDE=0,0 -DHAVE_FDATASYNC=1'
# What no SQL of Galley's asks for. Tables of addresses go with it, each page of
# which a process copies when it starts. The parser has to be made without, too.
sqlite_omitted=''
for part in COMPILEOPTION_DIAGS DATETIME_FUNCS DESERIALIZE EXPLAIN JSON WINDOWFUNC; do
	sqlite_omitted="$sqlite_omitted -DSQLITE_OMIT_$part"
done

# A profile fits what has the same names and the same flags before it.
compile_sqlite() {
	# shellcheck disable=SC2086
	musl-gcc $flags $sqlite_flags $sqlite_omitted "$@" -c -o sqlite3.o sqlite3.c
}

# Only how often branches are taken is learnt: what -fprofile-generate would learn of
# values, too, hangs on addresses, and no build would be the same as another.
sqlite3() {
	./configure --disable-tcl --disable-readline
	make sqlite3.c OPTS="$sqlite_omitted"
	rm -rf "$out/counting"
	mkdir "$out/counting"
	cp sqlite3.c "$out/counting"
	cp sqlite3.h "$out/include"
	cd "$out/counting"
	compile_sqlite -fprofile-arcs
	ar rcs libsqlite3.a sqlite3.o
}

# The present folder is `counting`, with the counts in sqlite3.gcda. A function without
# a profile was never called; a profile that does not fit is an error. What a request
# does once counts too. Short copies cost a call of musl's most.
sqlite3_trained() {
	compile_sqlite -fbranch-probabilities -Wno-missing-profile \
		--param hot-bb-count-fraction=100000 -minline-all-stringops
	if ! readelf --sections --wide sqlite3.o |
		grep -qF .text.hot.sqlite3RunParser; then
		echo 'the profile had no effect' >&2
		exit 1
	fi
	rm -f "$out/lib/libsqlite3.a"
	ar rcs "$out/lib/libsqlite3.a.new" sqlite3.o
	mv "$out/lib/libsqlite3.a.new" "$out/lib/libsqlite3.a"
}

configure() {
	autoreconf -fi
	CC=musl-gcc CFLAGS="$flags" ./configure --host=x86_64-linux-musl \
		--disable-shared --enable-static --prefix="$out" "$@"
}

libb2() {
	configure --disable-openmp --disable-native --enable-fat=no
	make -C src install
	cp libb2.pc "$out/lib/pkgconfig"
}

jansson() {
	configure
	make -C src install
}

libfcgi() {
	configure
	make -C libfcgi libfcgi.la
	cp libfcgi/.libs/libfcgi.a "$out/lib"
	cp include/*.h "$out/include"
}

utf8proc() {
	make libutf8proc.a CC=musl-gcc CFLAGS="$flags"
	cp libutf8proc.a "$out/lib"
	cp utf8proc.h "$out/include"
}

libyaml() {
	configure
	make -C include install
	make -C src install
}

cmark_gfm() {
	cmake -S . -B made -DCMAKE_C_COMPILER=musl-gcc \
		-DCMAKE_C_FLAGS="$flags" -DCMARK_TESTS=OFF -DCMARK_SHARED=OFF
	make -C made libcmark-gfm_static libcmark-gfm-extensions_static
	cp made/src/*.a made/extensions/*.a "$out/lib"
	cp src/cmark-gfm.h src/cmark-gfm-extension_api.h made/src/*.h \
		made/extensions/*.h extensions/cmark-gfm-core-extensions.h \
		"$out/include"
}

# Its configure wants an autoconf that is newer than Debian 12's.
gumbo_parser() {
	cd src
	# shellcheck disable=SC2086
	musl-gcc $flags -std=gnu99 -I. -c ./*.c
	ar rcs "$out/lib/libgumbo.a" ./*.o
	cp gumbo.h tag_enum.h "$out/include"
	cd ..
	version=$(sed -n 's/^AC_INIT([^,]*, *\[\([0-9.]*\)\].*/\1/p' configure.ac)
	sed "s/^Version:.*/Version: $version/" gumbo.pc.in \
		>"$out/lib/pkgconfig/gumbo.pc"
}

expat() {
	cd expat
	configure --without-docbook --without-tests --without-examples \
		--without-xmlwf
	make -C lib install
}

# What unpacks, and what counts checksums; nothing that packs.
zlib() {
	# shellcheck disable=SC2086
	musl-gcc $flags -DHAVE_UNISTD_H -c adler32.c crc32.c inffast.c inflate.c \
		inftrees.c zutil.c
	ar rcs "$out/lib/libz.a" ./*.o
	cp zlib.h zconf.h "$out/include"
}

# Only the argon2 in it, which is libargon2's reference code under its own licence: not
# every mirror of Debian has the source of the package argon2. One thread is enough.
cryptsetup() {
	cd lib/crypto_backend/argon2
	# shellcheck disable=SC2086
	musl-gcc $flags -DARGON2_NO_THREADS -c argon2.c core.c encoding.c ref.c \
		blake2/blake2b.c
	# Its BLAKE2b has the names of libb2's, and another state.
	ld -r -o whole.o ./*.o
	objcopy --wildcard --keep-global-symbol='argon2*' whole.o libargon2.o
	rm -f "$out/lib/libargon2.a"
	ar rcs "$out/lib/libargon2.a" libargon2.o
	cp argon2.h "$out/include"
	rm -f "$out/copyright/cryptsetup"
	cp LICENSE "$out/copyright/argon2"
}

# A code is computed at a sign-in, so the assembler's speed is not needed.
nettle() {
	CC=musl-gcc CC_FOR_BUILD=gcc CFLAGS="$flags" ./configure \
		--host=x86_64-linux-musl --disable-shared --disable-assembler \
		--disable-public-key --disable-openssl --disable-documentation \
		--prefix="$out" --libdir="$out/lib"
	make libnettle.a nettle.pc
	make install-headers install-static install-pkgconfig
}

qrencode() {
	configure --without-tools --without-tests --disable-thread-safety
	make install-libLTLIBRARIES install-includeHEADERS install-pkgconfigDATA
}

# What TLS 1.2 and 1.3 need of it, and no configuration of the host's. musl-gcc
# knows no headers of the kernel.
openssl() {
	# shellcheck disable=SC2086
	CC=musl-gcc ./Configure linux-x86_64 no-shared no-tests no-engine no-dso \
		no-async no-afalgeng no-ktls no-legacy no-module no-comp no-srp \
		no-dtls no-ssl3 no-idea no-seed no-aria no-camellia no-sm2 no-sm3 \
		no-sm4 no-mdc2 no-rmd160 no-whirlpool no-cast no-bf no-rc2 no-rc4 \
		no-cms no-ts no-ocsp no-ct no-psk no-srtp no-cmp no-ec2m \
		--prefix=/usr --libdir=lib --openssldir=/nonexistent $flags \
		-idirafter /usr/include -idirafter /usr/include/x86_64-linux-gnu
	make -j"$(nproc)" build_libs
	cp libssl.a libcrypto.a "$out/lib"
	cp -R include/openssl "$out/include"
}

# https and http, and nothing else that Galley's client turns off.
curl() {
	configure --with-openssl="$out" --without-ca-bundle --without-ca-path \
		--without-zlib --without-brotli --without-zstd --without-libpsl \
		--without-nghttp2 --without-libidn2 --without-librtmp \
		--without-libssh2 --without-libssh --without-libgsasl \
		--disable-ldap --disable-ldaps --disable-ftp --disable-file \
		--disable-rtsp --disable-dict --disable-telnet --disable-tftp \
		--disable-pop3 --disable-imap --disable-smb --disable-smtp \
		--disable-gopher --disable-mqtt --disable-manual --disable-docs \
		--disable-ntlm --disable-alt-svc --disable-hsts --disable-cookies \
		--disable-unix-sockets --disable-tls-srp
	make -j"$(nproc)" -C lib install
	make -C include install
	# Debian's patches name it after another library for TLS.
	mv "$out/lib/libcurl-nss.a" "$out/lib/libcurl.a"
}

"$(echo "$1" | tr - _)"
