# The languages of the interface: those of po/, and in test builds the pseudo-language. A text
# that a release does not have in one of them ends its build.
LANGUAGES = $(wildcard po/*.po)
TEXTS = $(if $(LANGUAGES)$(TEST),$(wildcard lib/*/*.c lib/*/*/*.c console/*.c console/*/*.c))
$(BUILD)/gen/languages.gen.h: $(LANGUAGES) po/compile.pl po/Catalogue.pm po/Pseudo.pm $(TEXTS)
	@mkdir -p $(@D)
	@perl po/compile.pl $(if $(TEST),--pseudo) $(if $(filter release,$(LINK)),--whole) \
	    $(LANGUAGES) -- $(TEXTS) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(BUILD)/lib/screen/tr.o $(BUILD)/for-musl/lib/screen/tr.o: $(BUILD)/gen/languages.gen.h

# The template for translators. Packages: purpose test.
TEMPLATE = xgettext --from-code=UTF-8 -k -ktr -ktr_mark -ktr_for:2 -ktr_count:1,2 \
	-ktr_count_for:2,3 --sort-output --package-name=Galley
## galley.pot     the texts of the interface, for translators: build/galley.pot
galley.pot:
	@mkdir -p $(BUILD)
	$(TEMPLATE) -o $(BUILD)/galley.pot $(wildcard lib/*/*.c lib/*/*/*.c console/*.c console/*/*.c)
