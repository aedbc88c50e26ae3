# All tests, and what measures. A test names its suites in its head (tests/run.pl);
# docs/testing.md says what each is for.

# Where a sanitized program's reports go, and what else it is told.
ifdef SANITIZE
$(LIB) $(CGI_LIB_FIRST): $(SANITIZE_OPTIONS)
$(SANITIZE_OPTIONS): | $(SANITIZE_REPORTS)
$(SANITIZE_REPORTS):
	@mkdir -p $@ && chmod 1777 $@
$(SANITIZE_OPTIONS) $(BUILD)/lib/system/harden.o: \
    CPPFLAGS += -DSANITIZE_REPORTS='"$(SANITIZE_REPORTS)"'
endif

# Tests include "tests/tap.h".
$(BUILD)/tests/%.o: CPPFLAGS += -I.

# A folder for each floor of lib/.
UNIT = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*/*.c))
unit: $(UNIT)

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(LIB)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(filter $(SMALL_OBJECTS),$^) $(LIB) $(if $(@:%/thumbnail=),,$(PICTURE_LINK)) $(TOOL_LIBS)

# These call what galley-picture alone has.
$(BUILD)/tests/unit/content/thumbnail $(BUILD)/tests/fuzz/thumbnail: $(SMALL_OBJECTS)

$(BUILD)/tests/fault/race: $(BUILD)/tests/fault/race.o $(LIB)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(LIB) $(CGI_LIBS)

# What starts programs for the scripts, without the copy that a fork of Perl is. Its build has
# neither sanitizers nor counters.
STARTER = $(BUILD)/tests/spawn
# And what asks a program of cgi-bin/ by FastCGI that would refuse plain CGI.
TOOLS = spawn fcgi-once
$(TOOLS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: tests/lib/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(WARNINGS) -D_GNU_SOURCE -O2 -o $@ $<

# Fuzz targets (tests/fuzz/fuzz.h): for libFuzzer in FUZZING builds, else programs
# that read a folder of inputs again.
FUZZERS = $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(filter-out \
	tests/fuzz/fuzz.c,$(wildcard tests/fuzz/*.c)))
$(BUILD)/tests/fuzz/fuzz.o: CPPFLAGS += $(if $(FUZZ_LINK),,-DREPLAY)

$(FUZZERS): $(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o \
    $(BUILD)/tests/fuzz/fuzz.o $(LIB)
	$(Q)$(CC) -pie $(LDFLAGS) $(FUZZ_LINK) -o $@ $< $(BUILD)/tests/fuzz/fuzz.o \
	    $(filter $(SMALL_OBJECTS),$^) $(LIB) $(if $(@:%/thumbnail=),,$(PICTURE_LINK)) $(TOOL_LIBS)

fuzzers: $(FUZZERS)

# ---- what is run

# All tests, or some: T=tests/api/FOLDER/NAME.t, T=tests/http, T=tests/unit/FLOOR, T=NAME of
# a unit test. Only what these need is built. CHECKERS=no leaves out those that need the outside checkers.
BROWSED = $(wildcard tests/docs/*.t tests/export/*.t tests/editor/*.t tests/console/the-screens*.t \
	tests/pages/the-pages*.t tests/pages/frames*.t tests/pages/nothing*.t)
ALL_SCRIPTS = $(filter-out $(BROWSED),$(wildcard tests/api/*/*.t tests/fault/*.t \
	tests/http/*.t tests/fuzz/*.t tests/analyze/*.t tests/house/*.t tests/attack/*.t tests/mutants/*.t \
	tests/console/*.t tests/console/*/*.t tests/pages/*.t))
ifdef T
SCRIPTS = $(foreach t,$T,$(or $(wildcard $t/*.t $t/*/*.t),$(filter %.t,$t)))
UNITS = $(foreach t,$T,$(if $(or $(wildcard $t/*.t $t/*/*.t),$(filter %.t,$t)),,$(call units_of,$t)))
units_of = $(or $(patsubst %.c,$(BUILD)/%,$(wildcard \
	$(foreach d,$(filter tests/unit tests/unit/%,$1),$d/*.c $d/*/*.c) \
	tests/unit/*/$(basename $(notdir $1)).c)),$(BUILD)/tests/unit/$(basename $(notdir $1)))
NEED_CHECKERS = $(filter $(BROWSED),$(SCRIPTS))
NEED_TEST = $(if $(SCRIPTS),$(shell grep -lE "'test'|use JobRun" $(SCRIPTS)))
else
SCRIPTS = $(ALL_SCRIPTS) $(if $(NODE),$(BROWSED))
UNITS = $(UNIT)
NEED_CHECKERS = all
NEED_TEST = all
endif

# The outside checkers of tests/node, from the lock file; installed again when it
# changes.
NODE = $(if $(filter no,$(CHECKERS)),,tests/node_modules/.stamp)
tests/node_modules/.stamp: tests/package-lock.json
	cd tests && npm ci --no-progress --loglevel=error || { echo \
	    'The outside checkers (tests/package.json) cannot be fetched: is' \
	    'there a network? make check CHECKERS=no goes without them.' >&2; \
	    exit 1; }
	@touch $@

# The packages of the visual view (editor/build.sh). Where there is no network, the tests of it say so
# and leave out what needs them.
EDITOR_NODE = editor/node_modules/.stamp
editor/node_modules/.stamp: editor/package-lock.json
	cd editor && npm ci --no-progress --loglevel=error && touch node_modules/.stamp || :

CHECKED = $(if $(SCRIPTS),all $(STARTER)) $(if $(filter tests/fuzz/%,$(SCRIPTS)),fuzzers) \
	$(if $(filter tests/editor/%,$(SCRIPTS)),$(EDITOR_NODE) $(BUILD)/tests/unit/import/blocks) \
	$(UNITS) $(if $(filter tests/docs/the-screens%,$(SCRIPTS)),$(BUILD)/tests/unit/screen-pages) \
	$(if $(NEED_CHECKERS),$(NODE)) $(if $(strip $(NEED_TEST)),test-build)
RUN = GALLEY_BUILD='$(BUILD)' perl tests/run.pl
# prove, which prints each line at once, into a file, too.
ONE = GALLEY_BUILD='$(BUILD)' perl -MApp::Prove -e '$$| = 1; my $$prove = App::Prove->new; \
    $$prove->process_args(@ARGV); exit !$$prove->run' -- -v \
    --formatter TAP::Formatter::Console

test-build: all
	$(MAKE) TEST=1 BUILD='$(BUILD)/test' programs

# The programs for PostgreSQL, where there is one, and what it is asked with: the twins, the model, and
# what is about orders and money.
ON_POSTGRES := $(if $(and $(wildcard /usr/lib/postgresql/*/bin/postgres),$(shell command -v pg_config)),postgres)
pg-build: test-build
	$(MAKE) STORE=pg BUILD='$(BUILD)/pg' programs $(TOOLS:%='$(BUILD)/pg/tests/%')
	$(MAKE) STORE=pg TEST=1 BUILD='$(BUILD)/pg/test' programs

## check          build and run the whole test suite
## check T=F      run one test file, or all of a folder
check: $(CHECKED) $(if $T,,$(ON_POSTGRES:%=pg-build))
	$(RUN) $(if $T,--order='$(BUILD)/times',--twins=kept,both$(ON_POSTGRES:%=,%) --times='$(BUILD)/times') \
	    $(UNITS) $(SCRIPTS) \
	    $(if $T,,$(if $(ON_POSTGRES),$(shell grep -lE '^# suite:.*\bpostgres\b' tests/postgres/*.t)))
	$(if $T$(ON_POSTGRES),,@echo 'Left out: nothing was run on PostgreSQL (packages: purpose postgresql)')

## check-fast     what says most in least time: a minute, once everything is built
check-fast:
	@$(MAKE) check T="$$(perl tests/run.pl --list --only=fast $(ALL_SCRIPTS) \
	    $(wildcard tests/unit/*/*.c) | sed 's|tests/unit/.*/\(.*\)\.c|\1|' | tr '\n' ' ')"

# FOLDER names folders or files, with commas; else all are drawn from. COUNT=all takes each place.
# The copies of the tree stay in build/mutants.
## check-mutants  200 changes (COUNT, SEED) of the sources or of a FOLDER, JOBS at a time: tests must notice
check-mutants: all unit $(STARTER)
	perl tests/mutants/mutants.pl --folder='$(FOLDER)' --count='$(or $(COUNT),200)' \
	    --seed='$(or $(SEED),1)' --jobs='$(or $(JOBS),1)' --seen=build/executed

# ---- the suite with other builds, or on other machines

# All of the suite again, or some of it added to what was counted before (T= as above);
# SHOW=lib/base/buf.c or SHOW=lib/base prints the lines that were never executed.
# Packages: purpose coverage.
COVERAGE_CC = clang
## coverage       what the suite executes of lib/ and cgi-bin/ (tests/coverage)
coverage:
	$(if $T,,rm -rf build/coverage/counters)
	status=0; \
	$(MAKE) COVERAGE=1 BUILD=build/coverage CC='$(COVERAGE_CC)' coverage-run || \
	    status=1; \
	perl tests/coverage/report.pl $(if $T,,--whole) build/coverage $(SHOW) && \
	    exit $$status

## executed       which scripts execute which function, in build/executed: check-mutants uses it
executed:
	$(MAKE) COVERAGE=1 BUILD=build/coverage CC='$(COVERAGE_CC)' executed-run

executed-run: all $(STARTER) test-build $(NODE)
	perl tests/coverage/by-script.pl '$(BUILD)' build/executed

coverage-run: $(CHECKED)
	sh tests/coverage/run.sh '$(BUILD)' --without=own-build \
	    $(if $T,,--twins=fcgi,kept) $(UNITS) $(SCRIPTS)

# T= as above (tests/sanitize/options.c). Leaks are looked for only in unit tests: the
# programs end without freeing, by design.
## check-sanitize the suite under AddressSanitizer and UBSan
check-sanitize:
	$(MAKE) SANITIZE=1 BUILD='$(BUILD)/sanitize' CHECKERS=no sanitize-run

sanitize-run: $(CHECKED)
	@sh tests/sanitize/reports.sh empty '$(SANITIZE_REPORTS)'
	status=0; \
	$(if $(UNITS),ASAN_OPTIONS=detect_leaks=1 $(RUN) $(UNITS) || status=1;) \
	$(if $(SCRIPTS),$(RUN) --without=own-build $(if $T,,--twins=fcgi) $(SCRIPTS) || \
	    status=1;) \
	sh tests/sanitize/reports.sh show '$(SANITIZE_REPORTS)' && exit $$status

# All processes of the scripts under valgrind (tests/lib/Galley/Valgrind.pm); T= for
# others, but none that measures time.
## check-valgrind every program under valgrind
check-valgrind: test-build
	@sh tests/sanitize/reports.sh empty '$(abspath $(BUILD))/valgrind'
	status=0; GALLEY_VALGRIND='$(abspath $(BUILD))/valgrind' \
	$(RUN) $(if $T,,--only=valgrind) $(SCRIPTS) || status=1; \
	sh tests/sanitize/reports.sh show '$(abspath $(BUILD))/valgrind' && \
	    exit $$status

## check-clicks   a thousand random clicks in the console, as each role in turn
check-clicks: all
	CLICKS=1000 $(ONE) tests/console/random-clicks-stay-inside.t

# Each language, width, with and without script, light and dark, at ten minutes or so; the
# pictures stay in build/console/pictures.
## check-screens  all screens in a browser, in each way in which they are read
check-screens: test-build $(NODE)
	GALLEY_SCREENS=all $(ONE) tests/console/the-screens-work-in-a-browser.t

# ../shared/corpus, or CORPUS: a quarter of an hour.
## check-editor   a folder of articles (CORPUS) in the visual editor: no byte changes but those of a word
check-editor: all $(NODE) $(EDITOR_NODE) $(BUILD)/tests/unit/import/blocks
	EDITOR_CORPUS='$(abspath $(or $(CORPUS),../shared/corpus))' $(ONE) \
	    tests/editor/articles-stay-themselves.t tests/editor/a-text-comes-back-to-the-letter.t

## pictures       README's pictures of the editor, drawn again
pictures: test-build $(NODE)
	GALLEY_DRAW=1 $(ONE) tests/console/the-picture-shows-the-editor.t

## check-interleavings 1,000 rounds, or ROUNDS, of two people who edit one article, with kills
check-interleavings: test-build
	GALLEY_ROUNDS='$(or $(ROUNDS),1000)' $(ONE) tests/console/two-people-edit-one-article.t

## check-pings    1,000 pings, or PINGS, to hostile websites; then how soon a ping arrives under cron
check-pings: test-build
	GALLEY_PINGS='$(or $(PINGS),1000)' $(ONE) tests/api/ping/hostile-websites-do-no-harm.t
	GALLEY_MINUTES='$(or $(MINUTES),10)' $(ONE) tests/api/ping/a-ping-arrives-within-a-minute.t

## check-moving   an export of 2,000 posts, or POSTS, moves in over a connection that breaks twice
check-moving: test-build $(NODE)
	GALLEY_POSTS='$(or $(POSTS),2000)' $(ONE) tests/console/moving/a-site-moves-in.t

## check-hits     1,000,000 hits (HITS=) by 32 clients under Apache, with kills (tests/fault)
check-hits: test-build $(STARTER)
	GALLEY_HITS='$(or $(HITS),1000000)' GALLEY_HITS_APACHE=1 \
	    $(ONE) tests/fault/no-hit-is-lost-or-counted-twice.t

## check-loaded   the suite beside ten busy loops (tests/loaded)
check-loaded: $(CHECKED)
	GALLEY_BUILD='$(BUILD)' sh tests/loaded/run.sh perl tests/run.pl $(UNITS) $(SCRIPTS)

## check-corpus CORPUS=DIR   the outside checkers and the round trip on a folder of articles
check-corpus: all $(NODE)
	@test -d '$(CORPUS)' || { echo 'name a folder: CORPUS=DIR'; exit 2; }
	CORPUS='$(abspath $(CORPUS))' $(RUN) tests/export/outside-checkers-find-nothing.t \
	    tests/export/markdown-comes-back.t

# As root: SUITES='bookworm xenial', and from the sources, too, with SOURCES=1.
SUITES = bookworm
## check-install  INSTALL.md, word by word, in throw-away roots
check-install: dist
	SUITES='$(SUITES)' SOURCES='$(SOURCES)' $(ONE) tests/install

# As root: in a throw-away root.
## publish-check  wheel, sdist, npm tarball and Composer archive: built, installed, and each one synchronises
publish-check: all $(STARTER)
	$(ONE) tests/publish

## check-wordpress the WordPress plugin in Debian's WordPress, in a throw-away root, with a browser; POSTS=150
check-wordpress: all $(STARTER) $(NODE)
	$(if $(POSTS),POSTS='$(POSTS)') $(ONE) tests/wordpress

# The programs of 0.9.0, of which instances are upgraded, are those of the commit that was tagged. Their
# libraries go with them, because a later Debian calls some of them otherwise.
RELEASED = build/released
$(RELEASED)/0.9.0.tar.gz:
	rm -rf $(RELEASED) && mkdir -p $(RELEASED)/source
	git archive 0f9928c3 | tar -x -C $(RELEASED)/source
	cd $(RELEASED)/source && env -u MAKEFLAGS -u MAKEOVERRIDES make install LINK=static PREFIX='$(CURDIR)/$(RELEASED)/0.9.0'
	mkdir $(RELEASED)/0.9.0/libraries
	ldd $(RELEASED)/0.9.0/bin/galley $(RELEASED)/0.9.0/cgi-bin/console $(RELEASED)/0.9.0/bin/job-runner | \
	    sed -n 's|.*=> \(/[^ ]*\) .*|\1|p' | sort -u | grep -v '/lib[cm]\.so' | xargs cp -Lt $(RELEASED)/0.9.0/libraries
	tar -C $(RELEASED) -czf $@ 0.9.0

# Packages: purpose nginx. Left out is what tests Apache itself, or needs no web server.
NOT_NGINX = answers-leave-no-process galley-doctor-finds-what-is-wrong nginx-is-a-web-server-too \
	quickstart-makes-a-demo start-waits-for-a-probe the-example-site-follows-a-workspace \
	the-address-pattern-of-INSTALL-is-served-by-any-server the-readme-works-as-written
## check-nginx    the scripts of tests/http with nginx in the place of Apache
check-nginx: test-build
	GALLEY_WEB=nginx $(RUN) $(filter-out $(NOT_NGINX:%=tests/http/%.t),$(wildcard tests/http/*.t))

# As root: SUITES='bookworm trixie', and the source package with SOURCES=1. The packages are those of `make deb`.
## check-packages Debian's packages in throw-away roots
check-packages: deb $(RELEASED)/0.9.0.tar.gz
	lintian --fail-on error $(BUILD)/deb/*.changes
	SUITES='$(SUITES)' SOURCES='$(SOURCES)' $(ONE) tests/packages

# As root, where neither podman nor buildah runs. With QUICK=1 the programs are linked as for tests.
## container      the container's image, or its root in build/container/root; QUICK=1, COVERS=yes
RELEASE_TAR = galley-$(subst $() ,.,$(strip $(VERSION)))-x86_64.tar.gz
container:
	$(if $(QUICK),SOURCE_DATE_EPOCH=$(EPOCH) DIST_LEVEL=1 $(MAKE) tarball COVER='$(BUILD)/bin/galley-cover',$(MAKE) dist)
	@mkdir -p '$(BUILD)/container'
	QUICK='$(QUICK)' COVERS='$(COVERS)' sh container/make.sh '$(BUILD)' '$(BUILD)/$(if $(QUICK),,release/)$(RELEASE_TAR)'

## check-container the container's steps in a throw-away root
check-container: container
	$(ONE) tests/container

# ---- long forms of single tests

## check-restored the twins in an instance that was restored
check-restored: all
	GALLEY_DRILL="$$(perl tests/run.pl --list --only=twins $(ALL_SCRIPTS) | tr '\n' ' ')" \
	    $(ONE) tests/api/backup/a-restored-instance-works.t

# Packages: purpose postgresql, and failover for the hosts that die.
## check-postgres the suite with the build STORE=pg and a private PostgreSQL, then hosts that die
check-postgres: $(if $T,$(if $(filter $(BROWSED),$(SCRIPTS)),$(NODE)),$(NODE))
	$(MAKE) STORE=pg BUILD=build/pg all $(TOOLS:%=build/pg/tests/%)
	$(MAKE) STORE=pg TEST=1 BUILD=build/pg/test programs
	GALLEY_BUILD=build/pg perl tests/postgres/run.pl $(T)

## check-fresh    what one host publishes another one shows, 2,000 times instead of 100 (check-postgres)
check-fresh:
	STALE=2000 $(MAKE) check-postgres T=tests/postgres/what-one-host-publishes-another-shows.t

# Packages: purposes postgresql and failover. As root.
## check-failover Patroni, etcd, HAProxy and two web hosts; they die and hang under ordering accounts
check-failover:
	$(MAKE) STORE=pg BUILD=build/pg all build/pg/tests/fcgi-once
	set -e; for script in $(or $T,$(wildcard tests/failover/*.t)); do \
	    GALLEY_BUILD=build/pg perl $$script; done

## check-kill     the job runner killed at random, 500 jobs instead of 60
check-kill: test-build
	GALLEY_KILL_JOBS=500 $(ONE) tests/api/job/runner-survives-random-kills.t

# From the seed MODEL_FIRST on.
SEEDS = 1000
MODEL_FIRST = 1
## check-model    1,000 seeds, or SEEDS, against a model of every answer
check-model: test-build
	SEEDS='$(SEEDS)' MODEL_FIRST='$(MODEL_FIRST)' $(ONE) tests/api/request/every-reply-is-predicted.t

CONSOLE_SEEDS = 300
## check-console-model 300 seeds, or CONSOLE_SEEDS, of people in the console against the model
check-console-model: test-build
	SEEDS='$(CONSOLE_SEEDS)' MODEL_FIRST='$(MODEL_FIRST)' \
	    $(ONE) tests/console/the-model-predicts-the-console.t

## check-faults   killed at every place, at every operation on files
check-faults: test-build
	GALLEY_FAULT_ALL=1 $(RUN) $(wildcard tests/fault/*.t)

IMAGES = 1000
## check-power    1,000 power failures, or IMAGES
check-power: test-build
	GALLEY_POWER_IMAGES='$(IMAGES)' \
	    $(ONE) tests/fault/what-was-acknowledged-survives-power-loss.t

RACES = 1000000
## check-race     1,000,000 requests, or RACES, race the writers over kept answers
check-race: test-build
	GALLEY_RACES='$(RACES)' $(ONE) tests/fault/no-kept-answer-is-older-than-a-commit.t

ORDERS = 5000
## check-large    5,000 orders, or ORDERS, on a database of 700 MB
check-large: all
	GALLEY_LARGE_ORDERS='$(ORDERS)' $(ONE) tests/fault/a-large-database-takes-orders.t

## check-fastcgi  100,000 requests to one process under AddressSanitizer
check-fastcgi:
	$(MAKE) SANITIZE=1 BUILD='$(BUILD)/sanitize' programs docs
	@sh tests/sanitize/reports.sh empty '$(BUILD)/sanitize/reports'
	GALLEY_BUILD='$(abspath $(BUILD))/sanitize' REQUESTS=180000 \
	    prove -v tests/api/program/fastcgi-process-stays-small.t
	@sh tests/sanitize/reports.sh show '$(BUILD)/sanitize/reports'

# With all that they know. Packages: purpose attack.
## check-attack   ffuf, sqlmap and wapiti against an instance
check-attack: all
	GALLEY_ATTACK_ALL=1 $(ONE) tests/attack

# Each target, or T=NAME, for FUZZ_SECONDS. What it finds stays in build/fuzz/found, new
# inputs in build/fuzz/corpus. Packages: purpose fuzz.
FUZZ_SECONDS = 60
## fuzz           libFuzzer on all that reads bytes, 60 s a target
fuzz:
	$(MAKE) FUZZING=1 fuzzers
	sh tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS) $(T)

# ---- measuring

# Linked as releases are, the console, too: `install` would link it with shared libraries.
# Packages: purposes musl, dist and bench.
## bench          measure (tests/bench)
bench:
	$(MAKE) LINK=musl BUILD='$(BUILD)' all
	$(MAKE) LINK=release TRAINER='$(BUILD)/bin/galley' BUILD='$(BUILD)/release' \
	    '$(BUILD)/release/cgi-bin/console'
	$(MAKE) LINK=musl BUILD='$(BUILD)' $(BENCH)
	GALLEY_BUILD='$(BUILD)' perl -Itests/bench/lib tests/bench/bench.pl

## bench-import   import, publish and render 10,000 articles
bench-import: programs
	GALLEY_BUILD='$(BUILD)' perl tests/bench/import.pl

## bench-postgres how fast the build STORE=pg is: ratios of one run
bench-postgres: pg-build
	perl tests/bench/postgres.pl

## bench-editor   a key in the visual editor with 10,000 words, beside the text area in one run
bench-editor: programs $(NODE)
	GALLEY_BUILD='$(BUILD)' perl tests/bench/editor.pl

# The floors of the benchmarks, and what measures processes, linked as the
# programs of cgi-bin/.
BENCH = $(addprefix $(BUILD)/bench/,empty empty-fcgi commit spawn)
$(BUILD)/bench/empty-fcgi: BENCH_LIBS = -lfcgi
$(BUILD)/bench/commit: BENCH_LIBS = -lsqlite3 -lm

$(BUILD)/bench/%: tests/bench/%.c $(CGI_READY)
	@mkdir -p $(@D)
	$(Q)$(CGI_CC) $(CGI_CPPFLAGS) -O2 -fPIE $(CGI_LINK) -o $@ $< $(BENCH_LIBS) $(CGI_END)

.PHONY: unit fuzzers test-build pg-build check check-clicks check-hits check-interleavings check-moving check-mutants check-pings check-screens pictures \
	check-fast coverage coverage-run executed executed-run check-sanitize \
	sanitize-run check-valgrind check-loaded check-corpus check-editor check-install check-nginx check-packages check-container container \
	check-restored check-kill check-model check-console-model check-faults check-power check-race \
	check-large publish-check check-wordpress check-fastcgi check-postgres check-fresh check-failover check-attack fuzz bench bench-editor bench-import bench-postgres

include tests/analyze/analyze.mk
