# Tables of C that the build makes of data files.

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
