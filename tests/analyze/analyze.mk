# `make analyze` prints the findings of gcc's analyzer, clang-tidy, cppcheck and shellcheck,
# a line each. The findings in a file are kept in build/analyze until the file, one of its
# headers or the tool's settings change. Checks that are off are listed with the reason in
# .clang-tidy and tests/analyze/cppcheck, single findings that are left in
# tests/analyze/exceptions.
ANALYZE = $(BUILD)/analyze
# Those of the other store are read with STORE=pg.
ANALYZED = $(filter-out lib/store/$(OTHER_STORE)/% lib/store/both/%,$(wildcard lib/*/*.c lib/*/*/*.c cgi-bin/*.c bin/*.c) $(filter-out $(PAGED),$(CONSOLE_SOURCES)) $(PAGES_MADE))
ANALYZED_HEADERS = $(filter-out lib/store/$(OTHER_STORE)/% lib/store/both/%,$(wildcard lib/*/*.h lib/*/*/*.h console/*.h console/*/*.h))
$(ANALYZE)/%.gcc $(ANALYZE)/%.tidy: CPPFLAGS += $(PAGE_FLAGS)
# It would take the word after -iquote for a folder to read.
$(ANALYZE)/cppcheck: CPPFLAGS += $(patsubst -iquote,,$(PAGE_FLAGS:console/%=-Iconsole/%))
FINDINGS = $(foreach tool,gcc tidy,$(ANALYZED:%.c=$(ANALYZE)/%.$(tool))) $(ANALYZE)/cppcheck

$(ANALYZE)/%.gcc: %.c $(GEN) tests/analyze/analyze.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(PANGO_CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC) -fanalyzer \
	    -fdiagnostics-path-format=none -MMD -MP -MF $(@:.gcc=.d) \
	    -MT '$@ $(@:.gcc=.tidy)' \
	    -c -o /dev/null $< 2>$@.new && mv $@.new $@

# It exits with an error where it finds one; that is a finding, too.
$(ANALYZE)/%.tidy: %.c .clang-tidy $(GEN) tests/analyze/analyze.mk
	@mkdir -p $(@D)
	$(Q)clang-tidy --quiet $< -- $(CPPFLAGS) $(PANGO_CPPFLAGS) -std=c11 -O1 \
	    -Wall -Wextra >$@.new 2>$@.log || test $$? -eq 1
	@mv $@.new $@

# One process reads all: half of its time for one file is its beginning. It keeps what it found
# in each file, and reads those again that changed. If only a comment did, it would tell the lines of
# before, so that what is known of these files is dropped.
$(ANALYZE)/cppcheck: $(ANALYZED) $(ANALYZED_HEADERS) $(wildcard tests/analyze/cppcheck*) \
    $(GEN) tests/analyze/analyze.mk
	@mkdir -p $@.kept
	@for changed in $(basename $(notdir $(filter %.c,$?))); do rm -f $@.kept/$$changed.a*; done
	$(Q)$(CPPCHECK) --enable=warning,style,performance,portability --cppcheck-build-dir=$@.kept \
	    $(ANALYZED) 2>$@.new && mv $@.new $@

# The system's headers are left out: cppcheck knows their functions.
CPPCHECK = cppcheck --quiet --std=c11 --platform=unix64 $(CPPFLAGS) \
	--library=posix,gnu,tests/analyze/cppcheck.cfg \
	--suppressions-list=tests/analyze/cppcheck \
	--template='{file}:{line}: {severity}: {message} [{id}]'

# Finds functions that nothing calls, not even a test.
$(ANALYZE)/unused: $(ANALYZED) $(ANALYZED_HEADERS) $(wildcard tests/*/*.c tests/unit/*/*.c) \
    tests/analyze/analyze.mk
	@mkdir -p $(@D)
	$(Q)$(CPPCHECK) --enable=unusedFunction --suppress='*:tests/*' -I. \
	    -DGALLEY_TEST lib cgi-bin bin console tests/unit tests/fuzz 2>$@.new && \
	    mv $@.new $@

$(ANALYZE)/lib/command/help.%: $(BUILD)/gen/libraries.gen.h
$(ANALYZE)/lib/screen/assets.%: $(BUILD)/gen/console.css.h
$(ANALYZE)/lib/screen/tr.%: $(BUILD)/gen/languages.gen.h

$(ANALYZE)/shell: FORCE
	@mkdir -p $(@D)
	$(Q)sh tests/analyze/shell.sh >$@

.PHONY: analyze analyze-quickly
## analyze        gcc -fanalyzer, clang-tidy, cppcheck, shellcheck
analyze: $(FINDINGS) $(ANALYZE)/unused $(ANALYZE)/shell
	@perl tests/analyze/report.pl --all $^

# The part that `make check` runs.
analyze-quickly: $(ANALYZE)/cppcheck $(ANALYZE)/shell
	@perl tests/analyze/report.pl $^
