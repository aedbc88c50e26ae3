# `make analyze`: what gcc's analyzer, clang-tidy, cppcheck and shellcheck say of the
# tree, one line a finding. What each says of a file is kept in build/analyze until
# the file, a header of it, or the tool's settings change. Which checks are off
# stands, with the reason, in .clang-tidy and tests/analyze/cppcheck; single
# findings that are left stand in tests/analyze/exceptions.
ANALYZE = $(BUILD)/analyze
ANALYZED = $(wildcard lib/*/*.c lib/*/*/*.c cgi-bin/*.c bin/*.c)
FINDINGS = $(foreach tool,gcc tidy cppcheck,$(ANALYZED:%.c=$(ANALYZE)/%.$(tool)))

$(ANALYZE)/%.gcc: %.c $(GEN) tests/analyze/analyze.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(PANGO_CPPFLAGS) $(CFLAGS) $(CFLAGS_PIC) -fanalyzer \
	    -fdiagnostics-path-format=none -MMD -MP -MF $(@:.gcc=.d) \
	    -MT '$@ $(@:.gcc=.tidy)' \
	    -c -o /dev/null $< 2>$@.new && mv $@.new $@

# It fails where it finds an error, which is a finding.
$(ANALYZE)/%.tidy: %.c .clang-tidy $(GEN) tests/analyze/analyze.mk
	@mkdir -p $(@D)
	$(Q)clang-tidy --quiet $< -- $(CPPFLAGS) $(PANGO_CPPFLAGS) -std=c11 -O1 \
	    -Wall -Wextra >$@.new 2>$@.log || test $$? -eq 1
	@mv $@.new $@

$(ANALYZE)/%.cppcheck: %.c $(wildcard lib/*/*.h lib/*/*/*.h tests/analyze/cppcheck*) \
    $(GEN) tests/analyze/analyze.mk
	@mkdir -p $(@D)
	$(Q)$(CPPCHECK) --enable=warning,style,performance,portability $< \
	    2>$@.new && mv $@.new $@

# Without the system's headers, which it knows by heart.
CPPCHECK = cppcheck --quiet --std=c11 --platform=unix64 $(CPPFLAGS) \
	--library=posix,gnu,tests/analyze/cppcheck.cfg \
	--suppressions-list=tests/analyze/cppcheck \
	--template='{file}:{line}: {severity}: {message} [{id}]'

# What nothing calls, not even a test.
$(ANALYZE)/unused: $(ANALYZED) $(wildcard lib/*/*.h lib/*/*/*.h tests/*/*.c tests/unit/*/*.c) \
    tests/analyze/analyze.mk
	@mkdir -p $(@D)
	$(Q)$(CPPCHECK) --enable=unusedFunction --suppress='*:tests/*' -I. \
	    -DGALLEY_TEST lib cgi-bin bin tests/unit tests/fuzz 2>$@.new && \
	    mv $@.new $@

$(ANALYZE)/lib/command/libraries.%: $(BUILD)/gen/libraries.gen.h

$(ANALYZE)/shell: FORCE
	@mkdir -p $(@D)
	$(Q)sh tests/analyze/shell.sh >$@

.PHONY: analyze analyze-quickly
## analyze        gcc -fanalyzer, clang-tidy, cppcheck, shellcheck
analyze: $(FINDINGS) $(ANALYZE)/unused $(ANALYZE)/shell
	@perl tests/analyze/report.pl --all $^

# What `make check` takes of it.
analyze-quickly: $(filter %.cppcheck,$(FINDINGS)) $(ANALYZE)/shell
	@perl tests/analyze/report.pl $^
