# The operator's tool and the task runner of the build STORE=pg know both stores (both.h): to make a
# backup, to restore one, to move an instance. Each store's objects are taken under names of their
# own, those of lib/store/both.
ifeq ($(STORE),pg)
BOTH = $(BUILD)/lib/store/both/both-stores.o
BOTH_OWN = $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/store/both/*.c))
BOTH_PG = $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/store/pg/*.c))
BOTH_LITE = $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/store/sqlite/*.c))
BOTH_LIBS = -lsqlite3

$(BOTH): $(BOTH_OWN) $(BOTH_PG) $(BOTH_LITE) lib/store/both/join.sh
	$(Q)NM='$(NM)' LD='$(LD)' OBJCOPY='$(OBJCOPY)' sh lib/store/both/join.sh $@ $(BOTH_OWN) -- $(BOTH_PG) -- $(BOTH_LITE)
endif
