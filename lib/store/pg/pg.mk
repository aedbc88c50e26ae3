# The objects that know no store (Makefile, SHARED) are made by the makefile of their build.
.PHONY: shared-objects
shared-objects: $(call objects,$(filter-out $(OF_STORE) lib/store/%,$(LIB_SOURCES) $(wildcard cgi-bin/*.c bin/*.c console/*.c console/*/*.c)) $(PAINT_SOURCES))
ifneq ($(SHARED),$(BUILD))
SHARED_OBJECTS = $(filter-out $(BUILD)/%,$(call objects,$(LIB_SOURCES) $(PAINT_SOURCES) \
	$(wildcard cgi-bin/*.c bin/*.c console/*.c console/*/*.c)))
$(SHARED_OBJECTS): shared-build
	@:
shared-build:
	@$(MAKE) --no-print-directory STORE=sqlite LINK=dynamic BUILD='$(SHARED)' shared-objects
.PHONY: shared-build
endif
include lib/store/both/both.mk

# How a program of cgi-bin/ is linked (Makefile), and those that include
# store/remote-store.h, which are compiled for their build.
define link-cgi
@mkdir -p $(@D)
$(Q)$(CGI_CC) $(CGI_LINK) $(LDFLAGS) -o $@ $< $(NOTE) -Wl,--whole-archive,--start-group \
    $(CGI_LIB_FIRST) -Wl,--no-whole-archive $(CGI_LIBS_FIRST) $(CGI_LIB_THEN) \
    $(CGI_LIBS) -Wl,--end-group $(CGI_END)
endef
ifeq ($(STORE),pg)
OWN_CGI := $(patsubst %.c,$(BUILD)/%,$(filter cgi-bin/%,$(OF_STORE)))
$(OWN_CGI): $(BUILD)/cgi-bin/%: $(BUILD)/cgi-bin/%.o $(CGI_LIB_FIRST) $(CGI_LIB_THEN) $(CGI_ORDER) $(NOTE)
	$(link-cgi)
endif
