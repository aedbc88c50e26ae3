# Galley. `make help` lists the targets.
#
# BUILD=DIR   where everything is built (build)
# LINK=musl|static|dynamic   how the programs in cgi-bin/ are linked: musl and
#             libraries made from Debian's sources (musl/build.sh), Debian's own
#             static libraries, or shared ones. The console's and those in bin/ take a
#             shared C library, and the large ones archives of most others.
#             best: musl, else static with a line that says why. `make install`
#             takes best, all else static, which needs no network
# LINK=release   those in bin/ with musl, too: what `make dist` takes
# VERSION=V   of the binary release (the file VERSION; before it is out, the last
#              commit's day, too)
# TEST=1      a second build with fault points and steppable clocks, with a shared C library,
#             in build/test: for tests only, never installed
# SANITIZE=1  all of it under AddressSanitizer and UBSan, in build/sanitize; with
#             TEST=1 the test build, in build/sanitize/test
# COVERAGE=1  each of these counts what is executed (tests/coverage/run.sh)
# STORE=pg    programs for PostgreSQL, dynamic, in build/pg (docs/postgres.md)
# PREFIX=DIR  where `make install` puts an instance's programs
# SECRETS=DIR where it puts all else, on shared hosting (INSTALL.md)

# V=1 prints whole commands.
ifndef V
Q = @echo "  $@";
endif

CC = gcc
AR = ar
LINK = $(if $(filter install,$(MAKECMDGOALS)),best,static)
BUILD = build
CPPFLAGS = -Ilib -I$(BUILD)/gen -D_GNU_SOURCE
WARNINGS = -Wall -Wextra -Wformat=2 -Wformat-overflow=2 -Wformat-truncation=2 \
	-Wconversion -Wsign-conversion -Wvla -Walloca -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wnull-dereference \
	-Wduplicated-cond -Wlogical-op \
	-Werror=format-security -Werror=implicit-function-declaration \
	-Werror=incompatible-pointer-types -Werror=int-conversion
# docs/platform.md §7 says what each costs.
HARDEN = -fstack-protector-strong -fstack-clash-protection -fcf-protection=full \
	-fno-delete-null-pointer-checks -fno-strict-overflow \
	-fno-strict-aliasing -U_FORTIFY_SOURCE
# gcc 12 has one step more of checked lengths, and variables that begin as zero.
ifeq ($(shell $(CC) -ftrivial-auto-var-init=zero -fsyntax-only -xc /dev/null \
	2>/dev/null && echo yes),yes)
HARDEN += -D_FORTIFY_SOURCE=3 -ftrivial-auto-var-init=zero
else
HARDEN += -D_FORTIFY_SOURCE=2
endif
OPTIMIZE = -O2 $(HARDEN)
CFLAGS = -std=c11 -g $(OPTIMIZE) $(WARNINGS) -ffunction-sections -fdata-sections
LDFLAGS = -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code \
	-Wl,--gc-sections -Wl,--build-id=sha1

# The other store's files are not compiled.
STORE = sqlite
STORE_LIB = -lsqlite3
OTHER_STORE = pg
ifeq ($(STORE),pg)
BUILD = build/pg
override LINK = dynamic
STORE_LIB = -lpq
OTHER_STORE = sqlite
CPPFLAGS += -DSTORE_PG -isystem $(shell pg_config --includedir)
endif

include tests/builds.mk

# Files are known by their names: in all runs of make a file has one.
override BUILD := $(BUILD:$(CURDIR)/%=%)

# What does not know the store is compiled once: build/pg takes the objects of build/, and
# build/pg/test those of build/test. Of its own is lib/store/, and what includes store/remote-store.h.
SHARED = $(BUILD)
ifeq ($(STORE),pg)
SHARED := $(patsubst %/pg,%,$(BUILD:%/pg/test=%/test))
OF_STORE := $(wildcard lib/store/*.c lib/store/pg/*.c) $(shell grep -rl --include='*.c' 'store/remote-store\.h' lib cgi-bin bin console)
endif
# The objects of sources.
objects = $(patsubst %.c,$(BUILD)/%.o,$(filter $(OF_STORE),$1)) \
	$(patsubst %.c,$(SHARED)/%.o,$(filter-out $(OF_STORE),$1))

ifdef STRICT
WARNINGS += -Werror
endif

# Libraries. The CGIs need the first list only.
STORE_LIBS = $(STORE_LIB) -ljansson -lb2 -lutf8proc -lm
# Tests start the programs of TEST=1 hundreds of thousands of times: they take archives, too.
CGI_LIBS = $(if $(filter archived,$(LINK)),$(call archived,$(filter-out -lm,$(STORE_LIBS)) -lfcgi) -lm,$(STORE_LIBS) -lfcgi)
# The console's program, the tool and the task runner sign people in. They take archives of the
# libraries where shared ones are not asked for: to find the names of twelve shared libraries
# takes longer than a page of the console (docs/speed.md §6). libargon2.a has names of libb2's,
# and libqrencode has no archive in Debian.
archived = $(if $(filter dynamic release,$(LINK)),$1,-Wl$(comma)-Bstatic $1 -Wl$(comma)-Bdynamic)
TOOL_LIBS = $(call archived,$(STORE_LIB) -ljansson -lb2 -lutf8proc -lnettle -lyaml \
	-lcmark-gfm-extensions -lcmark-gfm -lgumbo -lexpat -lz) -largon2 -lqrencode -lm
CONSOLE_LIBS = $(call archived,-lfcgi) $(TOOL_LIBS)

CFLAGS_PIC = -fPIE
PKG_CONFIG = pkg-config
CGI_CC = $(CC)
CGI_OBJ = $(SHARED)
BIN_LINK = -pie
# SQLite names dlopen(), which is never called: the linker need not say so.
CGI_LINK = $(if $(filter static,$(LINK)),-static-pie -Wl$(comma)--no-warnings,-pie)
comma = ,

LIB_SOURCES = $(filter-out $(PAINT_SOURCES) $(SMALL_SOURCES) lib/store/$(OTHER_STORE)/% lib/store/both/%,$(wildcard lib/*/*.c lib/*/*/*.c))
LIB_OBJECTS = $(call objects,$(LIB_SOURCES)) $(SCHEMA_LISTS:%=$(BUILD)/gen/%.o) \
	$(if $(TEST)$(FUZZING),$(BUILD)/gen/next.o) \
	$(BUILD)/gen/demo.o
LIB = $(BUILD)/libgalley.a
# The floors that the programs of cgi-bin/ may use. They have no zlib, with which logs are read and
# pictures unpacked.
CGI_FIRST = base system store access web
CGI_THEN = content export article stats job screen pages
cgi_objects = $(patsubst %.c,$(CGI_OBJ)/%.o,$(filter-out lib/store/$(OTHER_STORE)/% lib/store/both/% lib/stats/logs.c lib/content/picture-clean.c $(SMALL_SOURCES),$(wildcard $(1:%=lib/%/*.c) $(1:%=lib/%/*/*.c))))
CGI_LIB_FIRST = $(if $(filter sqlite,$(STORE)),$(BUILD)/libgalley-first.a)
CGI_LIB_THEN = $(if $(filter sqlite,$(STORE)),$(BUILD)/libgalley-then.a,$(LIB))
CGI = $(patsubst %.c,$(BUILD)/%,$(filter-out $(if $(filter pg,$(STORE)),,cgi-bin/picture.c),$(wildcard cgi-bin/*.c)))
# Those of the API, whose names are addresses below /api/v1.
API = $(filter-out $(addprefix $(BUILD)/cgi-bin/,pages collect picture),$(CGI))
APACHE = $(patsubst %,$(BUILD)/apache-conf/%,galley.conf galley-fcgid.conf galley-proxy-fcgi.conf htaccess) \
	$(BUILD)/nginx/galley.conf
# The console: one program, a file for each of its screens.
CONSOLE = $(BUILD)/cgi-bin/console
CONSOLE_SOURCES = $(sort $(wildcard console/*.c console/*/*.c))
CONSOLE_OBJECTS = $(call objects,$(CONSOLE_SOURCES)) $(BUILD)/gen/screens.o
# Only the second and the third have an HTTP client. Releases take the cover's program
# from another build.
EXTRA_BIN = $(addprefix $(BUILD)/bin/,provider-outline provider-openai galley-fetch galley-serve job-runner task-runner) \
	$(if $(filter-out release,$(LINK)),$(BUILD)/bin/galley-cover $(UNPACK) $(PICTURE))
DEMO = $(sort $(wildcard db/demo/*/*.md db/demo/*.png))
GEN = $(BUILD)/gen/galley_version.h $(BUILD)/gen/schema_version.h $(BUILD)/gen/schema.h \
	$(BUILD)/gen/console.h $(BUILD)/gen/stats.h $(BUILD)/gen/guards.h $(BUILD)/gen/brief.h \
	$(if $(filter pg,$(STORE)),$(BUILD)/gen/pg_schemas.h $(BUILD)/gen/pg_rights.h $(BUILD)/gen/pg_steps.h)

# A note in each program that names the release (lib/start/release.h).
NOTE = $(BUILD)/gen/release-note.o

##                build everything into build/
all: programs docs

include bin/apart.mk
include db/db.mk
include musl/musl.mk

programs: $(CGI) $(CONSOLE) $(BUILD)/bin/galley $(EXTRA_BIN) $(APACHE) $(if $(TEST),$(BUILD)/tests/fault/race)

help:
	@sed -n 's/^## /make /p' Makefile po/po.mk tests/tests.mk tests/analyze/analyze.mk musl/musl.mk

# With the resources that the programs answer.
$(BUILD)/apache-conf/%: apache-conf/%.in apache-conf/make.sh $(API)
	@mkdir -p $(@D)
	@STORE=$(STORE) sh apache-conf/make.sh $< $(API) >$@.new && mv $@.new $@
$(BUILD)/nginx/%: nginx/%.in apache-conf/make.sh $(API)
	@mkdir -p $(@D)
	@STORE=$(STORE) sh apache-conf/make.sh $< $(API) >$@.new && mv $@.new $@

$(BUILD)/gen/galley_version.h: VERSION lib/command/version.sh FORCE
	@mkdir -p $(@D)
	@sh lib/command/version.sh $@

$(BUILD)/gen/release-note.c: FORCE
	@mkdir -p $(@D)
	@sh lib/start/release.sh $@

# Libraries that do not tell their versions themselves.
$(BUILD)/gen/libraries.gen.h: Makefile $(BIN_READY)
	@mkdir -p $(@D)
	@for name in libb2 gumbo nettle; do version=$$($(PKG_CONFIG) --modversion $$name) || exit 1; \
	    echo "#define LIBRARY_$$name \"$$version\""; done >$@.new && mv $@.new $@

$(BUILD)/lib/command/help.o: $(BUILD)/gen/libraries.gen.h

include docs/docs.mk
include lib/screen/assets.mk
include lib/tables.mk
include po/po.mk

$(BUILD)/gen/demo.c: $(DEMO) db/demo/embed.sh
	@mkdir -p $(@D)
	@sh db/demo/embed.sh $(DEMO) >$@.new && mv $@.new $@

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC) -c -o $@ $<

# Headers that are made must be there before the first compilation, which then tells which
# of them a file depends on.
$(BUILD)/%.o: %.c $(BUILD)/flags $(BIN_READY) | $(GEN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC) -MMD -MP -c -o $@ $<

include lib/store/pg/pg.mk

$(LIB): $(LIB_OBJECTS)
	$(Q)rm -f $@ && $(AR) qcs $@ $(LIB_OBJECTS)

# How files are compiled and programs are linked; they change when that does.
$(BUILD)/flags $(BUILD)/link: FORCE
	@mkdir -p $(@D)
	@echo '$(if $(@:%/flags=),$(LINK),$(OPTIMIZE))' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

ifeq ($(STORE),sqlite)
$(CGI_LIB_FIRST): $(call cgi_objects,$(CGI_FIRST))
$(CGI_LIB_THEN): $(call cgi_objects,$(CGI_THEN)) $(CGI_ALSO)
$(CGI_LIB_FIRST) $(CGI_LIB_THEN): $(BUILD)/link
	$(Q)rm -f $@ && $(AR) qcs $@ $(filter $(CGI_OBJ)/lib/%.o $(CGI_ALSO),$^)
endif

# The linker lays things in the order in which it meets them: what every request
# runs through lies together.
$(BUILD)/cgi-bin/%: $(CGI_OBJ)/cgi-bin/%.o $(CGI_LIB_FIRST) $(CGI_LIB_THEN) $(CGI_ORDER) $(NOTE)
	$(link-cgi)

$(BUILD)/gen/screens.c: console/screens.pl $(CONSOLE_SOURCES)
	@mkdir -p $(@D)
	@perl console/screens.pl $(CONSOLE_SOURCES) >$@.new && mv $@.new $@

$(CONSOLE): $(CONSOLE_OBJECTS) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $(CONSOLE_OBJECTS) $(NOTE) $(LIB) $(CONSOLE_LIBS) $(BIN_END)

$(BUILD)/bin/galley: $(call objects,bin/galley.c) $(BOTH) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(NOTE) $(BOTH) $(LIB) $(TOOL_LIBS) $(BOTH_LIBS) $(BIN_END)

$(BUILD)/bin/job-runner $(BUILD)/bin/galley-serve: $(BUILD)/bin/%: $(call objects,bin/%.c) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(NOTE) $(LIB) $(CGI_LIBS) -lz $(BIN_END)

$(BUILD)/bin/task-runner: $(call objects,bin/task-runner.c) $(BOTH) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(NOTE) $(BOTH) $(LIB) $(TOOL_LIBS) $(BOTH_LIBS) $(BIN_END)

$(BUILD)/bin/provider-outline: $(call objects,bin/provider-outline.c) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(NOTE) $(LIB) -ljansson -lb2 \
	    -lutf8proc -lm $(BIN_END)

$(BUILD)/bin/provider-openai: $(call objects,bin/provider-openai.c) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(NOTE) $(LIB) -lcurl $(CURL_LIBS) \
	    -ljansson -lb2 -lutf8proc -lm $(BIN_END)

$(BUILD)/bin/galley-fetch: $(call objects,bin/galley-fetch.c) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(NOTE) $(LIB) -lcurl $(CURL_LIBS) \
	    -ljansson -lb2 -lutf8proc -lm $(BIN_END)

## install PREFIX=DIR   programs and assets of an instance
install: all
	@SECRETS='$(SECRETS)' STORE='$(STORE)' sh release/install.sh '$(PREFIX)' $(CGI) $(CONSOLE) $(BUILD)/bin/galley $(EXTRA_BIN) $(APACHE) \
	    $(PAGES) $(MANUALS) $(COMPLETION)

include tests/tests.mk

## compile_commands.json   for editors and clangd
# How each file is compiled, for clangd and other tools that read C.
COMPILED = $(LIB_SOURCES) $(wildcard cgi-bin/*.c bin/*.c tests/unit/*/*.c)
compile_commands.json: $(GEN) $(MAKEFILE_LIST) $(COMPILED)
	@for file in $(COMPILED); do \
	    printf '%s{"directory": "%s", "file": "%s", "command": "%s"}' \
	        "$${comma-[}" '$(CURDIR)' "$$file" \
	        "$(strip $(CC) $(CPPFLAGS) -I. $(PANGO_CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC)) -c $$file"; \
	    comma=', '; done >$@.new; echo ']' >>$@.new; mv $@.new $@

## format         clang-format over the tree
format:
	clang-format -i $(filter-out $(PAGED),$(shell git ls-files '*.c' '*.h'))
	perl lib/screen/page.pl --format $(PAGED)

## clean          remove build/
clean:
	rm -rf build

FORCE:

.PHONY: FORCE all programs docs help format clean install galley.pot
.SECONDARY:
-include $(shell find $(BUILD) \( -path '$(MUSL)' -o -path '*/container' \) -prune -o -type f -name '*.d' -print 2>/dev/null)
