# What an instance offers its readers: the documentation page with the clients, manual pages,
# and the completion for shells.

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
