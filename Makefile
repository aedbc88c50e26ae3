# Galley. `make help` lists the targets.
#
# BUILD=DIR   where everything is built (build)
# LINK=musl|static|dynamic   how the programs in cgi-bin/ are linked: musl and
#             libraries made from Debian's sources (musl/build.sh), Debian's own
#             static libraries, or shared ones. Those in bin/ take shared ones.
#             best: musl, else static with a line that says why. `make install`
#             takes best, all else static, which needs no network
# LINK=release   those in bin/ with musl, too: what `make dist` takes
# VERSION=V   of the binary release (the schema's number and the last commit's day)
# TEST=1      a second build with fault points and steppable clocks, dynamic,
#             in build/test: for tests only, never installed
# SANITIZE=1  all of it under AddressSanitizer and UBSan, in build/sanitize; with
#             TEST=1 the test build, in build/sanitize/test
# COVERAGE=1  each of these counts what is executed (tests/coverage/run.sh)
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
# Made once and shared by all builds.
MUSL = build/musl
CPPFLAGS = -Ilib -I$(BUILD)/gen -D_GNU_SOURCE
WARNINGS = -Wall -Wextra -Wformat=2 -Wformat-overflow=2 -Wformat-truncation=2 \
	-Wconversion -Wsign-conversion -Wvla -Walloca -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wnull-dereference \
	-Wduplicated-cond -Wlogical-op \
	-Werror=format-security -Werror=implicit-function-declaration \
	-Werror=incompatible-pointer-types -Werror=int-conversion
# HACKING.md says what each costs ("Hardening").
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

ifdef TEST
BUILD = build/test
override LINK = dynamic
CPPFLAGS += -DGALLEY_TEST
endif
ifdef SANITIZE
BUILD = build/sanitize$(if $(TEST),/test)
override LINK = dynamic
# They make gcc see texts that are cut where none are.
WARNINGS += -Wno-format-truncation
SANITIZERS = -fsanitize=address,undefined,pointer-compare,pointer-subtract,$\
	bounds-strict,float-cast-overflow,float-divide-by-zero
OPTIMIZE = -O1 -fno-omit-frame-pointer $(SANITIZERS) -fno-sanitize-recover=all
SANITIZE_REPORTS = $(abspath $(BUILD:%/test=%))/reports
SANITIZE_OPTIONS = $(BUILD)/tests/sanitize/options.o
# The shared library of UBSan would know no file to report to.
LDFLAGS += $(SANITIZERS) -static-libubsan $(SANITIZE_OPTIONS)
endif
ifdef FUZZING
BUILD = build/fuzz
CC = clang
override LINK = dynamic
CPPFLAGS += -DGALLEY_TEST
WARNINGS = -Wall
# Comparisons of numbers are not traced: that took half of the time, and in equal time
# less was found. Those of texts still are, by AddressSanitizer.
OPTIMIZE = -O1 -fno-omit-frame-pointer -fno-sanitize-recover=undefined \
	-fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-coverage=trace-cmp
FUZZ_LINK = -fsanitize=fuzzer,address,undefined
endif
# Counters lie in files that every process maps, so that neither its end by a
# signal nor its user, limits and confinement lose what it did.
ifdef COVERAGE
override LINK = dynamic
COUNTERS = $(CURDIR)/build/coverage/counters
OPTIMIZE = -O1 -fprofile-instr-generate=$(COUNTERS)/%m%c \
	-fcoverage-mapping -mllvm -runtime-counter-relocation
WARNINGS = -Wall
LDFLAGS += -fprofile-instr-generate
endif
ifdef STRICT
WARNINGS += -Werror
endif

# Libraries. The CGIs need the first list only.
STORE_LIBS = -lsqlite3 -ljansson -lb2 -lutf8proc -lm
CGI_LIBS = $(STORE_LIBS) -lfcgi
TOOL_LIBS = $(STORE_LIBS) -lyaml -lcmark-gfm-extensions -lcmark-gfm -lgumbo \
	-lexpat -lz

CFLAGS_PIC = -fPIE
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
# All of the C library that a request runs: the last two are SQLite's wish.
MUSL_LIBS_FIRST = -lb2 -Wl,-u,sysconf,-u,ftruncate -lc
MUSL_ORDER = cgi-bin/order.ld

PKG_CONFIG = pkg-config
CGI_CC = $(CC)
CGI_OBJ = $(BUILD)
BIN_LINK = -pie
ifeq ($(LINK),musl)
CGI_CC = musl-gcc
CGI_OBJ = $(BUILD)/for-musl
CGI_CPPFLAGS = -I$(MUSL)/include
CGI_CFLAGS = $(MUSL_CFLAGS)
CGI_LINK = $(MUSL_LINK) -Wl,-T,$(MUSL_ORDER)
CGI_ORDER = $(MUSL_ORDER)
CGI_LIBS_FIRST = $(MUSL_LIBS_FIRST)
CGI_END = $(MUSL_END)
CGI_READY = $(MUSL)/stamp-cgi
else ifeq ($(LINK),release)
override CC = musl-gcc
CPPFLAGS += -isystem $(MUSL)/include
CGI_LINK = $(MUSL_LINK) -Wl,-T,$(MUSL_ORDER)
CGI_ORDER = $(MUSL_ORDER)
CGI_LIBS_FIRST = $(MUSL_LIBS_FIRST)
CGI_END = $(MUSL_END)
BIN_LINK = $(MUSL_LINK)
BIN_END = $(MUSL_END)
BIN_READY = $(MUSL)/stamp-tool
# No folder of this machine, so that programs and their build ids are the same.
CFLAGS += $(MUSL_CFLAGS) -g0 -ffile-prefix-map=$(CURDIR)=.
PKG_CONFIG = PKG_CONFIG_LIBDIR=$(MUSL)/lib/pkgconfig pkg-config
CURL_LIBS = -lssl -lcrypto
else ifeq ($(LINK),static)
# SQLite names dlopen(), which is never called: the linker need not say so.
CGI_LINK = -static-pie -Wl,--no-warnings
else
CGI_LINK = -pie
endif

# The only ones that draw, with Pango.
PAINT_SOURCES = lib/provider/cover/cover-paint.c lib/provider/cover/cover-text.c
LIB_SOURCES = $(filter-out $(PAINT_SOURCES),$(wildcard lib/*/*.c lib/*/*/*.c))
LIB_OBJECTS = $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/gen/migrations.o \
	$(BUILD)/gen/demo.o
LIB = $(BUILD)/libgalley.a
# The floors that the programs of cgi-bin/ may use.
CGI_FIRST = base system store access web
CGI_THEN = content export article job
cgi_objects = $(patsubst %.c,$(CGI_OBJ)/%.o,$(wildcard $(1:%=lib/%/*.c) $(1:%=lib/%/*/*.c)))
CGI_LIB_FIRST = $(BUILD)/libgalley-first.a
CGI_LIB_THEN = $(BUILD)/libgalley-then.a
CGI = $(patsubst %.c,$(BUILD)/%,$(wildcard cgi-bin/*.c))
UNIT = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))
EXTRA_BIN += $(BUILD)/bin/provider-outline
PAINT_OBJECTS = $(PAINT_SOURCES:%.c=$(BUILD)/%.o)
ifneq ($(LINK),release)
EXTRA_BIN += $(BUILD)/bin/galley-cover
endif
PANGO = pangocairo fontconfig
PANGO_CPPFLAGS = $(patsubst -I%,-isystem%,$(shell pkg-config --cflags $(PANGO)))
PANGO_LIBS = $(shell pkg-config --libs $(PANGO))
# Only these have an HTTP client.
EXTRA_BIN += $(BUILD)/bin/provider-openai
EXTRA_BIN += $(BUILD)/bin/galley-fetch
EXTRA_BIN += $(BUILD)/bin/job-runner
SCHEMA = db/schema.sql
SCHEMA_NUMBER = $(shell sed -n 's/^-- The schema of an instance, number \([0-9]*\).*/\1/p' $(SCHEMA))
# What brings older databases to it, the last one their rows.
MIGRATIONS = $(sort $(wildcard db/before/[0-9]*.sql))
DEMO = $(sort $(wildcard db/demo/*/*.md db/demo/*.png))
GEN = $(BUILD)/gen/schema_version.h $(BUILD)/gen/schema.h $(BUILD)/gen/guards.h

all: programs docs

programs: $(CGI) $(BUILD)/bin/galley $(EXTRA_BIN) $(if $(TEST),$(BUILD)/tests/fault/race)

help:
	@echo 'make            build everything into $(BUILD)/'
	@echo 'make check      build and run the whole test suite'
	@echo 'make check T=F  run one test file, or all of a folder'
	@echo 'make check-fast the same without what takes long, in a minute'
	@echo 'make coverage   what the suite executes of lib/ and cgi-bin/'
	@echo 'make compile_commands.json   for editors and clangd'
	@echo 'make analyze    gcc -fanalyzer, clang-tidy, cppcheck, shellcheck'
	@echo 'make fuzz       libFuzzer on whatever reads bytes, 60 s a target'
	@echo 'make check-restored the api scripts in a restored instance'
	@echo 'make check-kill the job runner killed at random, 500 jobs'
	@echo 'make check-model      1,000 seeds against a model of every answer'
	@echo 'make check-faults   killed at every place, at every operation on files'
	@echo 'make check-install  INSTALL.md, word by word, in throw-away roots'
	@echo 'make check-power    1,000 power failures'
	@echo 'make check-race     1,000,000 requests race the writers'
	@echo 'make check-large    5,000 orders on a database of 700 MB'
	@echo 'make check-fastcgi  100,000 requests to one process under ASan'
	@echo 'make check-sanitize the suite under AddressSanitizer and UBSan'
	@echo 'make check-valgrind every program under valgrind'
	@echo 'make check-loaded   the suite beside ten busy loops'
	@echo 'make check-attack   ffuf, sqlmap and wapiti against an instance'
	@echo 'make check-corpus CORPUS=DIR   the checkers on a folder of articles'
	@echo 'make bench      measure (tests/bench)'
	@echo 'make bench-import    measure importing and rendering'
	@echo 'make install PREFIX=DIR   programs and assets of an instance'
	@echo 'make dist       the binary release: one tarball for any x86-64 Linux'
	@echo 'make format     clang-format over the tree'
	@echo 'make clean      remove build/'

# Manual pages, and the shell's completion.
MANUALS = $(patsubst docs/man/%,$(BUILD)/man1/%,$(wildcard docs/man/*.1))
COMPLETION = $(BUILD)/completions/galley

$(BUILD)/man1/%.1: docs/man/%.1 docs/man/make.sh $(BUILD)/bin/galley
	@mkdir -p $(@D)
	@sh docs/man/make.sh $< $(BUILD)/bin/galley >$@.new && mv $@.new $@

$(COMPLETION): $(BUILD)/bin/galley
	@mkdir -p $(@D)
	@$(BUILD)/bin/galley completion bash >$@.new && mv $@.new $@

# The documentation page, at an instance's root and at docs/, and the clients that it
# offers.
OFFERED = $(patsubst %,$(BUILD)/htdocs/clients/%.txt,javascript php python types)
PAGES = $(BUILD)/htdocs/index.html $(BUILD)/htdocs/docs/index.html $(OFFERED)

docs: $(PAGES) $(MANUALS) $(COMPLETION)

$(BUILD)/htdocs/index.html: htdocs/openapi.json $(wildcard docs/* docs/samples/* clients/*/*)
	@perl docs/make.pl htdocs/openapi.json $(BUILD)/htdocs

$(BUILD)/htdocs/docs/index.html $(OFFERED): $(BUILD)/htdocs/index.html

$(BUILD)/gen/schema_version.h: $(SCHEMA)
	@mkdir -p $(@D)
	@echo '#define SCHEMA_VERSION $(SCHEMA_NUMBER)' >$@.new && mv $@.new $@

$(BUILD)/gen/schema.h: $(SCHEMA) db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh --text schema $< >$@.new && mv $@.new $@

$(BUILD)/gen/guards.h: db/guards.sql db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh --text guards $< >$@.new && mv $@.new $@

# Libraries that do not tell their versions themselves.
$(BUILD)/gen/libraries.gen.h: Makefile $(BIN_READY)
	@mkdir -p $(@D)
	@for name in libb2 gumbo; do version=$$($(PKG_CONFIG) --modversion $$name) \
	    || exit 1; echo "#define LIBRARY_$$name \"$$version\""; \
	done >$@.new && mv $@.new $@

$(BUILD)/lib/command/libraries.o: $(BUILD)/gen/libraries.gen.h

$(BUILD)/gen/migrations.c: $(MIGRATIONS) db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh $(MIGRATIONS) >$@.new && mv $@.new $@

$(BUILD)/gen/demo.c: $(DEMO) db/demo/embed.sh
	@mkdir -p $(@D)
	@sh db/demo/embed.sh $(DEMO) >$@.new && mv $@.new $@

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC) -c -o $@ $<

$(BUILD)/%.o: %.c $(GEN) $(BUILD)/flags $(BIN_READY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJECTS)
	$(Q)rm -f $@ && $(AR) qcs $@ $(LIB_OBJECTS)

# Where a sanitized program's reports go, and what else it is told.
ifdef SANITIZE
$(LIB) $(CGI_LIB_FIRST): $(SANITIZE_OPTIONS)
$(SANITIZE_OPTIONS): | $(SANITIZE_REPORTS)
$(SANITIZE_REPORTS):
	@mkdir -p $@ && chmod 1777 $@
$(SANITIZE_OPTIONS) $(BUILD)/lib/system/harden-confine.o \
    $(BUILD)/lib/system/harden-stranger.o: \
    CPPFLAGS += -DSANITIZE_REPORTS='"$(SANITIZE_REPORTS)"'
endif

# How files are compiled and programs are linked; they change when that does.
$(BUILD)/flags $(BUILD)/link: FORCE
	@mkdir -p $(@D)
	@echo '$(if $(@:%/flags=),$(LINK),$(OPTIMIZE))' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(CGI_LIB_FIRST): $(call cgi_objects,$(CGI_FIRST))
$(CGI_LIB_THEN): $(call cgi_objects,$(CGI_THEN))
$(CGI_LIB_FIRST) $(CGI_LIB_THEN): $(BUILD)/link
	$(Q)rm -f $@ && $(AR) qcs $@ $(filter $(CGI_OBJ)/lib/%.o,$^)

# The linker lays things in the order in which it meets them: what every request
# runs through lies together.
$(BUILD)/cgi-bin/%: $(CGI_OBJ)/cgi-bin/%.o $(CGI_LIB_FIRST) $(CGI_LIB_THEN) $(CGI_ORDER)
	@mkdir -p $(@D)
	$(Q)$(CGI_CC) $(CGI_LINK) $(LDFLAGS) -o $@ $< -Wl,--whole-archive,--start-group \
	    $(CGI_LIB_FIRST) -Wl,--no-whole-archive $(CGI_LIBS_FIRST) $(CGI_LIB_THEN) \
	    $(CGI_LIBS) -Wl,--end-group $(CGI_END)

ifneq ($(CGI_READY),)
$(BUILD)/for-musl/%.o: %.c $(GEN) $(BUILD)/flags $(CGI_READY)
	@mkdir -p $(@D)
	$(Q)$(CGI_CC) $(CPPFLAGS) $(CGI_CPPFLAGS) $(CFLAGS) $(CGI_CFLAGS) $(CFLAGS_PIC) \
	    -MMD -MP -c -o $@ $<

endif

# The libraries' own makefiles must not be told what this one was: automake's know
# a LINK, too.
$(MUSL)/stamp-%: $(wildcard musl/* db/*.sql lib/store/db-schema.*) \
		db/embed.sh
	@env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES sh musl/build.sh $(MUSL) $*

$(BUILD)/bin/galley: $(BUILD)/bin/galley.o $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(LIB) $(TOOL_LIBS) $(BIN_END)

$(BUILD)/bin/job-runner: $(BUILD)/bin/job-runner.o $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(LIB) $(CGI_LIBS) -lz $(BIN_END)

# Tests include "tests/tap.h".
$(BUILD)/tests/%.o: CPPFLAGS += -I.

$(PAINT_OBJECTS): CPPFLAGS += $(PANGO_CPPFLAGS)

$(BUILD)/bin/provider-outline: $(BUILD)/bin/provider-outline.o $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(LIB) -ljansson -lb2 \
	    -lutf8proc -lm $(BIN_END)

$(BUILD)/bin/galley-cover: $(BUILD)/bin/galley-cover.o $(PAINT_OBJECTS) $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(PAINT_OBJECTS) $(LIB) -lb2 \
	    -lutf8proc -lm $(PANGO_LIBS)

$(BUILD)/bin/provider-openai: $(BUILD)/bin/provider-openai.o $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(LIB) -lcurl $(CURL_LIBS) \
	    -ljansson -lb2 -lutf8proc -lm $(BIN_END)

$(BUILD)/bin/galley-fetch: $(BUILD)/bin/galley-fetch.o $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BIN_LINK) $(LDFLAGS) -o $@ $< $(LIB) -lcurl $(CURL_LIBS) \
	    -ljansson -lb2 -lutf8proc -lm $(BIN_END)

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(LIB)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(LIB) $(TOOL_LIBS)

$(BUILD)/tests/fault/race: $(BUILD)/tests/fault/race.o $(LIB)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(LIB) $(CGI_LIBS)

unit: $(UNIT)

# Fuzz targets (tests/fuzz/fuzz.h): for libFuzzer in FUZZING builds, else programs
# that read a folder of inputs again.
FUZZERS = $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(filter-out \
	tests/fuzz/fuzz.c,$(wildcard tests/fuzz/*.c)))
$(BUILD)/tests/fuzz/fuzz.o: CPPFLAGS += $(if $(FUZZ_LINK),,-DREPLAY)

$(FUZZERS): $(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o \
    $(BUILD)/tests/fuzz/fuzz.o $(LIB)
	$(Q)$(CC) -pie $(LDFLAGS) $(FUZZ_LINK) -o $@ $< $(BUILD)/tests/fuzz/fuzz.o \
	    $(LIB) $(TOOL_LIBS)

fuzzers: $(FUZZERS)

# Fuzzing itself: each target, or T=NAME, for FUZZ_SECONDS. What it finds stays in
# build/fuzz/found, new inputs in build/fuzz/corpus. Packages: purpose fuzz.
FUZZ_SECONDS = 60
fuzz:
	$(MAKE) FUZZING=1 fuzzers
	sh tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS) $(T)

# All tests, or some: T=tests/api/NAME.t, T=tests/http, T=NAME of a unit test;
# each is built what it needs and no more.
# CHECKERS=no goes without those that need the outside checkers.
ifdef T
SCRIPTS = $(foreach t,$T,$(or $(wildcard $t/*.t),$(filter %.t,$t)))
UNITS = $(foreach t,$T,$(if $(or $(wildcard $t/*.t),$(filter %.t,$t)),,$(BUILD)/tests/unit/$(basename $(notdir $t))))
NEED_CHECKERS = $(filter tests/docs/% tests/export/%,$(SCRIPTS))
NEED_TEST = $(if $(SCRIPTS),$(shell grep -lE "'test'|use JobRun" $(SCRIPTS)))
else
SCRIPTS = $(wildcard tests/api/*.t tests/fault/*.t tests/http/*.t tests/fuzz/*.t \
	tests/analyze/*.t tests/house/*.t tests/attack/*.t \
	$(if $(NODE),tests/docs/*.t tests/export/*.t))
UNITS = $(UNIT)
NEED_CHECKERS = all
NEED_TEST = all
endif

# Scripts that run again with one FastCGI process for all requests, where every
# answer must be that of a process of its own (Galley.pm), and a third time with
# every kept answer computed both ways (web/kept/kept.h).
TWINS = $(addprefix tests/api/,requests-are-bounded.t \
	workspaces-see-nothing-of-each-other.t pages-show-each-article-once.t \
	tokens-change-exactly-when-they-must.t equal-tags-mean-equal-bodies.t \
	sync-ends-with-the-published-set.t five-views-agree.t \
	generate-refuses-in-order.t jobs-show-how-they-stand.t)

# The outside checkers of tests/node, from the lock file; made anew when it
# changes.
NODE = $(if $(filter no,$(CHECKERS)),,tests/node_modules/.stamp)
tests/node_modules/.stamp: tests/package-lock.json
	cd tests && npm ci --no-progress --loglevel=error || { echo \
	    'The outside checkers (tests/package.json) cannot be fetched: is' \
	    'there a network? make check CHECKERS=no goes without them.' >&2; \
	    exit 1; }
	@touch $@

CHECKED = $(if $(SCRIPTS),all) $(if $(filter tests/fuzz/%,$(SCRIPTS)),fuzzers) $(UNITS) $(if $(NEED_CHECKERS),$(NODE))
check: $(CHECKED)
	$(if $(strip $(NEED_TEST)),$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs)
	GALLEY_BUILD='$(BUILD)' prove -j2 $(UNITS) $(SCRIPTS)
ifndef T
	GALLEY_FCGI=1 GALLEY_BUILD='$(BUILD)' prove -j2 $(TWINS)
	GALLEY_KEPT=verify GALLEY_BUILD='$(BUILD)' prove -j2 $(TWINS)
	GALLEY_FCGI=1 GALLEY_KEPT=verify GALLEY_BUILD='$(BUILD)' prove -j2 $(TWINS)
endif

# Scripts that build and compare programs themselves say nothing of those of a build
# with counters or sanitizers.
OF_THE_BUILD = $(filter-out tests/analyze/% \
	tests/api/an-endpoint-is-added-by-a-patch.t \
	tests/api/memory-is-used-as-it-should.t \
	tests/api/musl-is-no-condition.t \
	tests/api/programs-are-built-hardened.t \
	tests/api/programs-need-nothing-of-the-host.t \
	tests/api/quickstart-installs-only-what-it-may.t \
	tests/api/requests-cost-no-more-instructions.t \
	tests/api/sqlite-is-compiled-for-what-requests-do.t tests/http/quickstart.t \
	tests/http/the-readme-works-as-written.t,$(SCRIPTS))

# What the suite executes (tests/coverage): all of it anew, or some of it added to
# what was counted before (T= as above); SHOW=lib/base/buf.c or SHOW=lib/base prints
# the lines that were never executed. Packages: purpose coverage.
COVERAGE_CC = clang
.PHONY: coverage coverage-run
coverage:
	$(if $T,,rm -rf build/coverage/counters)
	status=0; \
	$(MAKE) COVERAGE=1 BUILD=build/coverage CC='$(COVERAGE_CC)' coverage-run || \
	    status=1; \
	perl tests/coverage/report.pl $(if $T,,--whole) build/coverage $(SHOW) && \
	    exit $$status

coverage-run: $(CHECKED)
	$(if $(strip $(NEED_TEST)),$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs)
	sh tests/coverage/run.sh '$(BUILD)' $(UNITS) $(OF_THE_BUILD) -- $(if $T,,$(TWINS))

# The suite under AddressSanitizer and UBSan (tests/sanitize/options.c), T= as above.
# Leaks are looked for where they are none by design.
.PHONY: check-sanitize sanitize-run
check-sanitize:
	$(MAKE) SANITIZE=1 BUILD='$(BUILD)/sanitize' CHECKERS=no sanitize-run

sanitize-run: $(CHECKED)
	$(if $(strip $(NEED_TEST)),$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs)
	@sh tests/sanitize/reports.sh empty '$(SANITIZE_REPORTS)'
	@for script in $(filter-out $(OF_THE_BUILD),$(SCRIPTS)); do \
	    echo "left out, has no program of the build: $$script"; done
	status=0; export GALLEY_BUILD='$(BUILD)'; \
	$(if $(UNITS),ASAN_OPTIONS=detect_leaks=1 prove -j2 $(UNITS) || status=1;) \
	$(if $(OF_THE_BUILD),prove -j2 $(OF_THE_BUILD) || status=1;) \
	$(if $T,,GALLEY_FCGI=1 prove -j2 $(TWINS) || status=1;) \
	sh tests/sanitize/reports.sh show '$(SANITIZE_REPORTS)' && exit $$status

# Scripts that come by each program's ways, with all of its processes under valgrind
# (tests/lib/Galley/Valgrind.pm); T= for others, but none that measures time.
UNDER_VALGRIND = $(addprefix tests/api/,credits-are-told-by-period.t \
	galley-articles-move-between-states.t galley-backup-keeps-a-series.t \
	galley-dump-lets-everything-leave.t \
	galley-import-changes-the-right-article.t \
	galley-tells-what-it-did-and-no-secret.t \
	import-ghost-brings-everything.t import-keeps-private-things-private.t \
	import-refuses-broken-exports.t import-takes-pictures-along.t \
	import-wordpress-brings-everything.t jobs-open-in-a-backup-are-refunded.t \
	memory-is-used-as-it-should.t one-request-from-the-shell.t \
	runner-writes-what-was-ordered.t)

# The suite on a machine that has no time for it (tests/loaded/run.sh), T= as above.
.PHONY: check-loaded
check-loaded: $(CHECKED)
	$(if $(strip $(NEED_TEST)),$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs)
	GALLEY_BUILD='$(BUILD)' sh tests/loaded/run.sh prove -j2 $(UNITS) $(SCRIPTS)

.PHONY: check-valgrind
check-valgrind: all
	$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs
	@sh tests/sanitize/reports.sh empty '$(abspath $(BUILD))/valgrind'
	status=0; GALLEY_VALGRIND='$(abspath $(BUILD))/valgrind' \
	GALLEY_BUILD='$(BUILD)' prove -j2 $(if $T,$(SCRIPTS),$(UNDER_VALGRIND)) || \
	    status=1; \
	sh tests/sanitize/reports.sh show '$(abspath $(BUILD))/valgrind' && \
	    exit $$status

# The unit tests, and of the others those that say most in least time: a minute
# on two processors, once everything is built. None needs the checkers or the
# test build.
FAST = $(addprefix tests/api/,a-storage-fault-is-never-a-404.t \
	credits-move-once.t each-endpoint-has-its-places.t \
	equal-tags-mean-equal-bodies.t five-views-agree.t \
	galley-accounts-workspaces-and-keys.t \
	galley-articles-move-between-states.t \
	galley-import-changes-the-right-article.t galley-is-used-as-it-says.t \
	galley-settings-take-only-what-fits.t \
	galley-verify-finds-what-is-broken.t one-request-from-the-shell.t \
	pages-show-each-article-once.t refusals-name-their-cause.t \
	requests-are-bounded.t sync-ends-with-the-published-set.t \
	tokens-change-exactly-when-they-must.t \
	workspaces-see-nothing-of-each-other.t) \
	$(addprefix tests/http/,answers-arrive-unchanged.t \
	authorization-arrives.t errors-are-json-everywhere.t \
	etag-survives-compression.t)

.PHONY: check-fast
check-fast:
	@$(MAKE) check T='$(notdir $(UNIT)) $(FAST)'

# The outside checkers and the round trip, on every Markdown file below a folder.
check-corpus: all $(NODE)
	@test -d '$(CORPUS)' || { echo 'name a folder: CORPUS=DIR'; exit 2; }
	CORPUS='$(abspath $(CORPUS))' GALLEY_BUILD='$(BUILD)' prove -j2 \
	    tests/export/outside-checkers-find-nothing.t \
	    tests/export/markdown-comes-back.t

# INSTALL.md word by word in throw-away roots, as root: SUITES='bookworm xenial', and
# from the sources, too, with SOURCES=1.
SUITES = bookworm
.PHONY: check-install
check-install: dist
	GALLEY_BUILD='$(BUILD)' SUITES='$(SUITES)' SOURCES='$(SOURCES)' \
	    prove -v tests/install

# The drill of tests/api, long: those scripts in an instance that was restored.
check-restored: all
	GALLEY_BUILD='$(BUILD)' GALLEY_DRILL='$(TWINS)' \
	    prove -v tests/api/a-restored-instance-works.t

# The random kills of tests/api, long: 500 jobs instead of 60.
check-kill: all
	$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs
	GALLEY_BUILD='$(BUILD)' GALLEY_KILL_JOBS=500 \
	    prove -v tests/api/runner-survives-random-kills.t

# The model of every answer: 1,000 seeds, or SEEDS, from MODEL_FIRST on.
SEEDS = 1000
MODEL_FIRST = 1
.PHONY: check-model
check-model: all
	$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs
	GALLEY_BUILD='$(BUILD)' SEEDS='$(SEEDS)' MODEL_FIRST='$(MODEL_FIRST)' \
	    prove -v tests/api/every-reply-is-predicted.t

# tests/fault at every place, operation and byte instead of a choice of them.
.PHONY: check-faults check-power check-race check-large
check-faults: all
	$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs
	GALLEY_BUILD='$(BUILD)' GALLEY_FAULT_ALL=1 prove -j2 tests/fault

# Power failures: 1,000 of them, or IMAGES.
IMAGES = 1000
check-power: all
	$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs
	GALLEY_BUILD='$(BUILD)' GALLEY_POWER_IMAGES='$(IMAGES)' \
	    prove -v tests/fault/what-was-acknowledged-survives-power-loss.t

# Readers against writers over kept answers: a million requests, or RACES.
RACES = 1000000
check-race: all
	$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs
	GALLEY_BUILD='$(BUILD)' GALLEY_RACES='$(RACES)' \
	    prove -v tests/fault/no-kept-answer-is-older-than-a-commit.t

# 700 MB and 5,000 orders, or ORDERS.
ORDERS = 5000
check-large: all
	GALLEY_BUILD='$(BUILD)' GALLEY_LARGE_ORDERS='$(ORDERS)' \
	    prove -v tests/fault/a-large-database-takes-orders.t

# One FastCGI process and 100,000 requests, under AddressSanitizer.
check-fastcgi:
	$(MAKE) SANITIZE=1 BUILD='$(BUILD)/sanitize' programs docs
	@sh tests/sanitize/reports.sh empty '$(BUILD)/sanitize/reports'
	GALLEY_BUILD='$(abspath $(BUILD))/sanitize' REQUESTS=180000 \
	    prove -v tests/api/fastcgi-process-stays-small.t
	@sh tests/sanitize/reports.sh show '$(BUILD)/sanitize/reports'

# Programs that look for holes, with all that they know; needs the packages of the
# purpose attack.
.PHONY: check-attack
check-attack: all
	GALLEY_BUILD='$(BUILD)' GALLEY_ATTACK_ALL=1 prove -v tests/attack

# Linked as releases are; needs the packages of the purposes musl and bench.
bench:
	$(MAKE) LINK=musl BUILD='$(BUILD)' all
	$(MAKE) LINK=musl BUILD='$(BUILD)' $(BUILD)/bench/empty $(BUILD)/bench/spawn
	GALLEY_BUILD='$(BUILD)' perl -Itests/bench/lib tests/bench/bench.pl

# 10,000 articles in, published, and rendered anew.
bench-import: programs
	GALLEY_BUILD='$(BUILD)' perl tests/bench/import.pl

# The floor of the benchmarks, and what measures processes, linked as the
# programs of cgi-bin/.
$(BUILD)/bench/%: tests/bench/%.c $(CGI_READY)
	@mkdir -p $(@D)
	$(Q)$(CGI_CC) -O2 -fPIE $(CGI_LINK) -o $@ $< $(CGI_END)

install: all
	@SECRETS='$(SECRETS)' sh install.sh '$(PREFIX)' $(CGI) $(BUILD)/bin/galley $(EXTRA_BIN) $(PAGES) \
	    $(MANUALS) $(COMPLETION)

# The binary release, in build/release: everything static, for any x86-64 Linux.
VERSION = $(SCHEMA_NUMBER) \
	$(shell git log -1 --format=%cd --date=format:%Y%m%d 2>/dev/null)
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),0)
dist:
	$(MAKE) LINK=dynamic '$(BUILD)/bin/galley-cover'
	SOURCE_DATE_EPOCH=$(EPOCH) $(MAKE) LINK=release \
	    BUILD='$(BUILD)/release' COVER='$(BUILD)/bin/galley-cover' tarball

tarball: all
	@sh dist.sh '$(BUILD)' 'galley-$(subst $() ,.,$(strip $(VERSION)))-x86_64' '$(MUSL)' '$(COVER)' \
	    $(CGI) $(BUILD)/bin/galley $(EXTRA_BIN) $(PAGES) $(MANUALS) $(COMPLETION)

include tests/analyze/analyze.mk

# How each file is compiled, for clangd and other tools that read C.
COMPILED = $(LIB_SOURCES) $(wildcard cgi-bin/*.c bin/*.c tests/unit/*.c)
compile_commands.json: $(GEN) $(MAKEFILE_LIST) $(COMPILED)
	@for file in $(COMPILED); do \
	    printf '%s{"directory": "%s", "file": "%s", "command": "%s"}' \
	        "$${comma-[}" '$(CURDIR)' "$$file" \
	        "$(strip $(CC) $(CPPFLAGS) -I. $(PANGO_CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC)) -c $$file"; \
	    comma=', '; done >$@.new; echo ']' >>$@.new; mv $@.new $@

format:
	clang-format -i $(wildcard lib/*/*.[ch] lib/*/*/*.[ch] cgi-bin/*.c bin/*.c musl/*.c tests/*.h \
	    tests/unit/*.c)

clean:
	rm -rf build

FORCE:

.PHONY: FORCE all programs docs help unit format clean check check-corpus \
	check-kill check-fastcgi bench bench-import install dist tarball
.SECONDARY:
-include $(shell find $(BUILD) -path '$(MUSL)' -prune -o -type f -name '*.d' -print 2>/dev/null)
