# Builds for tests only, never installed: TEST=1, SANITIZE=1, FUZZING=1 and COVERAGE=1.

ifdef TEST
BUILD = build$(if $(filter pg,$(STORE)),/pg)/test
# The C library stays shared: valgrind and scripts put functions of their own in its place.
override LINK = $(if $(filter pg,$(STORE)),dynamic,archived)
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
# The linker drops no variable of theirs, nor what it names.
CGI_ALSO = $(SCHEMA_LISTS:%=$(BUILD)/gen/%.o)
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

# Counters are in files that every process maps, so that neither its end by a
# signal nor its user, limits and confinement lose what it did.
ifdef COVERAGE
override LINK = dynamic
COUNTERS = $(CURDIR)/build/coverage/counters
OPTIMIZE = -O1 -fprofile-instr-generate=$(COUNTERS)/%m%c \
	-fcoverage-mapping -mllvm -runtime-counter-relocation
WARNINGS = -Wall
LDFLAGS += -fprofile-instr-generate
endif
