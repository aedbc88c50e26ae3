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
