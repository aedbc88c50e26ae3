# The languages of the interface: those of po/, and in test builds the pseudo-language. A text
# that a release does not have in one of them ends its build.
LANGUAGES = $(wildcard po/*.po)
WITH_TEXTS = $(wildcard lib/*/*.c lib/*/*/*.c) $(filter-out $(PAGED),$(CONSOLE_SOURCES)) $(PAGES_MADE)
TEXTS = $(if $(LANGUAGES)$(TEST),$(WITH_TEXTS))
# The header is as old as its last change; the mark tells when it was looked at, so that a source that
# changed without its texts is read once.
LOOKED_AT = $(BUILD)/gen/languages.looked-at
$(BUILD)/gen/languages.gen.h: $(LOOKED_AT)
	@test -e $@ || { rm -f $<; $(MAKE) --no-print-directory $<; }
$(LOOKED_AT): $(LANGUAGES) po/compile.pl po/Catalogue.pm po/Pseudo.pm $(TEXTS)
	@mkdir -p $(@D)
	@touch $@.new
	@perl po/compile.pl $(if $(TEST),--pseudo) $(if $(filter release,$(LINK)),--whole) \
	    $(LANGUAGES) -- $(TEXTS) >$(@:.looked-at=.gen.h.new)
	@cd $(@D) && if cmp -s languages.gen.h.new languages.gen.h; then rm languages.gen.h.new; \
	    else mv languages.gen.h.new languages.gen.h; fi
	@mv $@.new $@

$(BUILD)/lib/screen/tr.o $(BUILD)/for-musl/lib/screen/tr.o: $(BUILD)/gen/languages.gen.h

# The template for translators. Packages: purpose test.
TEMPLATE = xgettext --from-code=UTF-8 -k -ktr -ktr_mark -ktr_for:2 -ktr_count:1,2 \
	-ktr_count_for:2,3 --sort-output --package-name=Galley
## galley.pot     the texts of the interface, for translators: build/galley.pot
galley.pot: $(PAGES_MADE)
	@mkdir -p $(BUILD)
	$(TEMPLATE) -o $(BUILD)/galley.pot $(WITH_TEXTS)
