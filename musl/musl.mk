# LINK=musl, LINK=release and LINK=best: programs linked statically with musl, and
# libraries that musl/build.sh makes from Debian's sources.

# Made once and shared by all builds.
MUSL = build/musl

ifeq ($(LINK),best)
override LINK := $(shell env -u MAKEFLAGS sh musl/build.sh --choose $(MUSL))
ifeq ($(LINK),)
$(error $(MUSL) cannot be written)
endif
endif

# musl-gcc takes -static-pie for a dynamic program; so in its parts.
MUSL_SYSTEM = /usr/lib/x86_64-linux-musl
MUSL_LINK = -static -nostartfiles -Wl,-pie,--no-dynamic-linker,-z,text \
	$(MUSL_SYSTEM)/rcrt1.o $(MUSL_SYSTEM)/crti.o -L$(MUSL)/lib
MUSL_END = $(MUSL_SYSTEM)/crtn.o
# Its start-up files carry no mark of CET, so that nothing ever turns that on.
MUSL_CFLAGS = -fcf-protection=none
MUSL_ORDER = cgi-bin/order.ld

ifneq ($(filter musl release,$(LINK)),)
CGI_LINK = $(MUSL_LINK) -Wl,-T,$(MUSL_ORDER)
CGI_ORDER = $(MUSL_ORDER) $(MUSL)/lib/libsqlite3.a
# All of the C library that a request runs: the last two are SQLite's wish.
CGI_LIBS_FIRST = -lb2 -Wl,-u,sysconf,-u,ftruncate -lc
CGI_END = $(MUSL_END)
endif

ifeq ($(LINK),musl)
CGI_CC = musl-gcc
CGI_OBJ = $(BUILD)/for-musl
CGI_CPPFLAGS = -I$(MUSL)/include
CGI_CFLAGS = $(MUSL_CFLAGS)
CGI_READY = $(MUSL)/stamp-cgi

$(BUILD)/for-musl/%.o: %.c $(BUILD)/flags $(CGI_READY) | $(GEN)
	@mkdir -p $(@D)
	$(Q)$(CGI_CC) $(CPPFLAGS) $(CGI_CPPFLAGS) $(CFLAGS) $(CGI_CFLAGS) $(CFLAGS_PIC) \
	    -MMD -MP -c -o $@ $<
endif

# SQLite's second half. A release is made of its sources alone: it trains again when its
# programs are others (--exact). All else takes what is there. TRAINER is the operator's
# tool, linked dynamically.
TRAINER = $(BUILD)/bin/galley
MUSL_TRAINED = $(API:$(BUILD)/%=$(CGI_OBJ)/%.o) $(CGI_LIB_FIRST) $(CGI_LIB_THEN)

$(MUSL)/lib/libsqlite3.a: $(MUSL)/stamp-cgi $(wildcard musl/train* db/*.sql \
    lib/store/sqlite/db-schema.*) tests/lib/Galley/Instructions.pm $(if $(filter musl,$(LINK)),|) $(MUSL_TRAINED) $(TRAINER)
	@LIBS='$(CGI_LIBS)' sh musl/train.sh $(if $(filter release,$(LINK)),--exact) '$(MUSL)' \
	    '$(BUILD)/training' '$(TRAINER)' $(MUSL_TRAINED)

ifeq ($(LINK),release)
override CC = musl-gcc
CPPFLAGS += -isystem $(MUSL)/include
BIN_LINK = $(MUSL_LINK)
BIN_END = $(MUSL_END)
BIN_READY = $(MUSL)/stamp-tool
$(BUILD)/bin/galley $(CONSOLE) $(EXTRA_BIN): $(MUSL)/lib/libsqlite3.a
# No folder of this machine, so that programs and their build ids are the same.
CFLAGS += $(MUSL_CFLAGS) -g0 -ffile-prefix-map=$(CURDIR)=.
PKG_CONFIG = PKG_CONFIG_LIBDIR=$(MUSL)/lib/pkgconfig pkg-config
CURL_LIBS = -lssl -lcrypto
endif

# The libraries' own makefiles must not be told what this one was: automake's know
# a LINK, too. This file is no part of the libraries.
$(MUSL)/stamp-%: $(filter-out %.mk musl/train%,$(wildcard musl/*))
	@env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES sh musl/build.sh $(MUSL) $*

# ---- the binary release, in build/release: everything static, for any x86-64 Linux

VERSION = $(shell cat VERSION) $(if $(filter %-dev,$(shell cat VERSION)), \
	$(shell git log -1 --format=%cd --date=format:%Y%m%d 2>/dev/null))
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),0)

.PHONY: dist tarball deb
## deb            Debian's packages (debian/); QUICK=1: programs linked as for tests, for this Debian
deb:
	@mkdir -p '$(BUILD)/deb'
	QUICK='$(QUICK)' sh release/deb.sh '$(BUILD)' '$(subst -dev,~dev,$(subst $() ,.,$(strip $(VERSION))))' '$(EPOCH)'

## dist           the binary release: one tarball for any x86-64 Linux
## dist STORE=pg  that for PostgreSQL: for the Debian or Ubuntu that it is made on
ifeq ($(STORE),pg)
dist:
	SOURCE_DATE_EPOCH=$(EPOCH) $(MAKE) STORE=pg BUILD=build/pg/release tarball

ifeq ($(BUILD),build/pg/release)
CFLAGS += -g0 -ffile-prefix-map=$(CURDIR)=.
endif

tarball: all
	@sh release/dist.sh '$(BUILD)' 'galley-postgresql-$(subst $() ,.,$(strip $(VERSION)))-x86_64' '' '$(BUILD)/bin/galley-cover' \
	    $(CGI) $(CONSOLE) $(BUILD)/bin/galley $(filter-out %/galley-cover,$(EXTRA_BIN)) $(APACHE) $(PAGES) $(MANUALS) $(COMPLETION)
else
dist:
	$(MAKE) LINK=dynamic '$(BUILD)/bin/galley-cover' '$(BUILD)/bin/galley-picture' '$(BUILD)/bin/galley'
	SOURCE_DATE_EPOCH=$(EPOCH) $(MAKE) LINK=release TRAINER='$(BUILD)/bin/galley' \
	    BUILD='$(BUILD)/release' \
	    COVER='$(BUILD)/bin/galley-cover $(BUILD)/bin/galley-picture' tarball

tarball: all
	@sh release/dist.sh '$(BUILD)' 'galley-$(subst $() ,.,$(strip $(VERSION)))-x86_64' '$(MUSL)' '$(COVER)' \
	    $(CGI) $(CONSOLE) $(BUILD)/bin/galley $(EXTRA_BIN) $(APACHE) $(PAGES) $(MANUALS) $(COMPLETION)
endif
