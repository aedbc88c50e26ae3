# What pages are read with: style sheets and scripts, compiled into the programs that print
# them.

# The console's style sheet.
$(BUILD)/gen/console.css.h: lib/screen/console.css lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh console $< >$@.new && mv $@.new $@

# The editor's style sheet.
$(BUILD)/gen/editor.css.h: lib/screen/editor.css lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh editor $< >$@.new && mv $@.new $@

# The editor's script.
EDITOR_JS = $(addprefix lib/screen/,console.js console-text.js console-paste.js \
	console-beside.js console-visual.js)
$(BUILD)/gen/console.js.h: $(EDITOR_JS) lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --script console $(EDITOR_JS) >$@.new && mv $@.new $@

# The visual view of the editor, which editor/build.sh makes.
$(BUILD)/gen/visual.js.h: lib/screen/visual.js lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --packed visual $< >$@.new && mv $@.new $@

# The script of large files.
$(BUILD)/gen/sending.js.h: lib/screen/sending.js lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --script sending $< >$@.new && mv $@.new $@

# The script of the browser's time zone.
$(BUILD)/gen/zone.js.h: lib/screen/zone.js lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --script zone $< >$@.new && mv $@.new $@

# The script of what is copied.
$(BUILD)/gen/copy.js.h: lib/screen/copy.js lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --script copy $< >$@.new && mv $@.new $@

# The script of menus.
$(BUILD)/gen/menu.js.h: lib/screen/menu.js lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --script menu $< >$@.new && mv $@.new $@

# The picture of the tab.
$(BUILD)/gen/icon.svg.h: lib/screen/icon.svg lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --picture icon $< >$@.new && mv $@.new $@

# That of articles which Galley shows itself.
ARTICLE_CSS = lib/screen/article-page.css htdocs/article.css
$(BUILD)/gen/article-page.css.h: $(ARTICLE_CSS) lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh article_page $(ARTICLE_CSS) >$@.new && mv $@.new $@

$(BUILD)/lib/screen/assets.o $(BUILD)/for-musl/lib/screen/assets.o: \
	$(BUILD)/gen/console.css.h $(BUILD)/gen/editor.css.h $(BUILD)/gen/console.js.h \
	$(BUILD)/gen/visual.js.h $(BUILD)/gen/sending.js.h $(BUILD)/gen/zone.js.h $(BUILD)/gen/copy.js.h $(BUILD)/gen/menu.js.h \
	$(BUILD)/gen/icon.svg.h $(BUILD)/gen/article-page.css.h

# The page's side of frames in other websites.
$(BUILD)/gen/frame.js.h: lib/pages/frame.js lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh --script frame $< >$@.new && mv $@.new $@

$(BUILD)/lib/pages/page-layout.o $(BUILD)/for-musl/lib/pages/page-layout.o: $(BUILD)/gen/frame.js.h

# That of the pages of workspaces.
PAGES_CSS = htdocs/article.css lib/pages/pages.css
$(BUILD)/gen/pages.css.h: $(PAGES_CSS) lib/screen/embed.sh
	@mkdir -p $(@D)
	@sh lib/screen/embed.sh pages $(PAGES_CSS) >$@.new && mv $@.new $@

$(BUILD)/lib/pages/page-layout.o $(BUILD)/for-musl/lib/pages/page-layout.o: $(BUILD)/gen/pages.css.h
