# C that the build makes.

# Screens with lines that begin with @ (docs/console.md §6.1), and the addresses of screens, to which
# their links lead.
PAGED := $(shell grep -l '^[[:space:]]*@' $(CONSOLE_SOURCES))
PAGES_MADE = $(PAGED:%=$(BUILD)/gen/%)
PAGE_FLAGS = $(addprefix -iquote ,$(sort $(dir $(CONSOLE_SOURCES))))
$(BUILD)/gen/routes: $(CONSOLE_SOURCES) lib/screen/page.pl
	@mkdir -p $(@D)
	@perl lib/screen/page.pl --routes-of $(CONSOLE_SOURCES) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(PAGES_MADE): $(BUILD)/gen/%: % $(BUILD)/gen/routes lib/screen/page.pl lib/screen/hwrite.c lib/screen/hwrite.h
	@mkdir -p $(@D)
	@perl lib/screen/page.pl --routes $(BUILD)/gen/routes $< >$@.new && mv $@.new $@

$(PAGED:%.c=$(BUILD)/%.o): $(BUILD)/%.o: $(BUILD)/gen/%.c $(BUILD)/flags $(BIN_READY) | $(GEN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(PAGE_FLAGS) $(CFLAGS) $(CFLAGS_PIC) -MMD -MP -c -o $@ $<

# What no password may be.
$(BUILD)/gen/common-passwords.gen.h: lib/people/common-passwords.txt lib/people/common-passwords.sh
	@mkdir -p $(@D)
	@sh lib/people/common-passwords.sh $< >$@.new && mv $@.new $@

$(BUILD)/lib/people/password.o $(BUILD)/for-musl/lib/people/password.o: $(BUILD)/gen/common-passwords.gen.h

$(BUILD)/gen/phrases.gen.h: $(sort $(wildcard lib/provider/outline/phrases/*.txt)) lib/provider/outline/phrases.pl
	@mkdir -p $(@D)
	@perl lib/provider/outline/phrases.pl $(filter %.txt,$^) >$@.new && mv $@.new $@

$(BUILD)/lib/provider/outline/phrases.o: $(BUILD)/gen/phrases.gen.h

# The subtags of languages.
$(BUILD)/gen/subtags.gen.h: lib/content/languages.txt lib/content/languages.pl
	@mkdir -p $(@D)
	@perl lib/content/languages.pl $< >$@.new && mv $@.new $@

$(BUILD)/lib/content/lang.o $(BUILD)/for-musl/lib/content/lang.o: $(BUILD)/gen/subtags.gen.h
