# Programs of their own libraries, which are in no other one: galley-cover, galley-unpack and
# galley-picture. They run on the next Debian, too, where libutf8proc has another number: they take
# archives of the libraries of all programs.
APART_LIBS = -Wl,-Bstatic -lb2 -lutf8proc -Wl,-Bdynamic -lm

# The only one that draws, with Pango.
PAINT_SOURCES = lib/provider/cover-paint.c
PAINT_OBJECTS = $(PAINT_SOURCES:%.c=$(SHARED)/%.o)
PANGO = pangocairo fontconfig
PANGO_CPPFLAGS = $(patsubst -I%,-isystem%,$(shell pkg-config --cflags $(PANGO)))
PANGO_LIBS = $(shell pkg-config --libs $(PANGO))
$(PAINT_OBJECTS): CPPFLAGS += $(PANGO_CPPFLAGS)

$(BUILD)/bin/galley-cover: $(call objects,bin/galley-cover.c) $(PAINT_OBJECTS) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(NOTE) $(PAINT_OBJECTS) $(LIB) \
	    $(APART_LIBS) $(PANGO_LIBS)

# The only one with libarchive, which a machine may do without: then archives do not move in.
UNPACK := $(if $(shell pkg-config --exists libarchive && echo yes),$(BUILD)/bin/galley-unpack)

$(BUILD)/bin/galley-unpack: $(call objects,bin/galley-unpack.c) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(NOTE) $(LIB) -larchive $(APART_LIBS)

# The only one that decodes pictures. It takes archives of its libraries, whose packages have other
# names in Ubuntu than in Debian, so that it needs the C library alone. A machine may do without:
# then lists have no thumbnails.
SMALL_SOURCES = lib/content/thumbnail.c
SMALL_OBJECTS = $(SMALL_SOURCES:%.c=$(SHARED)/%.o)
PICTURE_LIBS := $(shell pkg-config --static --libs libjpeg libpng libwebpdemux libwebp 2>/dev/null)
PICTURE_LINK = -Wl,-Bstatic $(filter-out -lm -lpthread -pthread,$(PICTURE_LIBS)) $(APART_LIBS)
PICTURE := $(if $(PICTURE_LIBS),$(BUILD)/bin/galley-picture)

$(BUILD)/bin/galley-picture: $(call objects,bin/galley-picture.c) $(SMALL_OBJECTS) $(LIB) $(NOTE)
	@mkdir -p $(@D)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $< $(NOTE) $(SMALL_OBJECTS) $(LIB) $(PICTURE_LINK)
