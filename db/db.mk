# The schemas of the three stores, and what brings older files to them (lib/store/schemas.h).
SCHEMA = db/schema.sql
SCHEMA_NUMBER = $(shell sed -n 's/^-- The schema of an instance, number \([0-9]*\).*/\1/p' $(SCHEMA))
SCHEMA_LISTS = content_steps content_released console_steps console_released stats_steps stats_released
content_steps = $(sort $(filter-out %.pg.sql,$(wildcard db/before/[0-9]*.sql)))
content_released = $(sort $(wildcard db/released/[0-9]*.sql))
console_steps = $(sort $(filter-out %.pg.sql,$(wildcard db/console/before/[0-9]*.sql)))
console_released = $(sort $(wildcard db/console/released/[0-9]*.sql))
stats_steps = $(sort $(filter-out %.pg.sql,$(wildcard db/stats/before/[0-9]*.sql)))
stats_released = $(sort $(wildcard db/stats/released/[0-9]*.sql))
number_of = "$$(sed -n '1s/.*number \([0-9]*\):.*/\1/p' $1)"

$(BUILD)/gen/schema_version.h: $(SCHEMA) db/console/schema.sql db/stats/schema.sql
	@mkdir -p $(@D)
	@printf '#define %s_VERSION %s\n' SCHEMA $(SCHEMA_NUMBER) CONSOLE \
	    $(call number_of,db/console/schema.sql) STATS $(call number_of,db/stats/schema.sql) >$@.new && mv $@.new $@

$(BUILD)/gen/schema.h: $(SCHEMA) db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh --text schema $< >$@.new && mv $@.new $@

$(BUILD)/gen/console.h: db/console/schema.sql db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh --text console_schema $< >$@.new && mv $@.new $@

$(BUILD)/gen/stats.h: db/stats/schema.sql db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh --text stats_schema $< >$@.new && mv $@.new $@

$(BUILD)/gen/guards.h: db/guards.sql db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh --text guards $< >$@.new && mv $@.new $@

# For STORE=pg.
$(BUILD)/gen/pg_schemas.h: $(SCHEMA) db/console/schema.sql db/stats/schema.sql db/pg/guards.sql db/pg/media.sql db/pg/limits.sql db/pg/limit-places.sql db/pg/task-lease.sql db/pg/day-key.sql db/pg/translate.sh db/embed.sh
	@mkdir -p $(@D)
	@for store in content: console:console/ stats:stats/; do name=$${store%:*}; \
	    sh db/pg/translate.sh "$$name" "db/$${store#*:}schema.sql" >$@.sql && \
	    sh db/embed.sh --text "pg_$$name" $@.sql || exit 1; \
	done >$@.new && sh db/embed.sh --text pg_guards db/pg/guards.sql >>$@.new && \
	    sh db/embed.sh --text pg_media db/pg/media.sql >>$@.new && \
	    sh db/embed.sh --text pg_limits db/pg/limits.sql >>$@.new && \
	    sh db/embed.sh --text pg_limit_places db/pg/limit-places.sql >>$@.new && \
	    sh db/embed.sh --text pg_task_lease db/pg/task-lease.sql >>$@.new && \
	    sh db/embed.sh --text pg_day_key db/pg/day-key.sql >>$@.new && mv $@.new $@

$(BUILD)/gen/pg_rights.h: $(wildcard db/pg/rights/*.sql) db/embed.sh
	@mkdir -p $(@D)
	@for name in store money api; do \
	    sh db/embed.sh --text "pg_rights_$$name" "db/pg/rights/$$name.sql" || exit 1; \
	done >$@.new && mv $@.new $@

PG_STEPS = $(wildcard db/before/[0-9]*.sql db/console/before/[0-9]*.sql db/stats/before/[0-9]*.sql)
$(BUILD)/gen/pg_steps.h: db/pg/steps.sh db/pg/translate.sh db/embed.sh $(PG_STEPS) \
    $(if $(TEST),$(wildcard tests/next/*.sql) $(BUILD)/gen/next.made)
	@mkdir -p $(@D)
	@sh db/pg/steps.sh $(if $(TEST),$(BUILD)/gen) >$@.new && mv $@.new $@

$(BUILD)/gen/brief.h: $(SCHEMA) db/console/schema.sql db/brief.sh
	@mkdir -p $(@D)
	@sh db/brief.sh $(SCHEMA) db/console/schema.sql >$@.new && mv $@.new $@

$(SCHEMA_LISTS:%=$(BUILD)/gen/%.c): $(foreach list,$(SCHEMA_LISTS),$($(list))) db/embed.sh
	@mkdir -p $(@D)
	@sh db/embed.sh --list $(@F:.c=) $($(@F:.c=)) >$@.new && mv $@.new $@

# The made-up next release of test builds.
$(BUILD)/gen/next.c $(BUILD)/gen/next.h: $(BUILD)/gen/next.made ;
$(BUILD)/gen/next.made: tests/next/make.sh tests/next/content.sql tests/next/console.sql db/embed.sh \
    $(SCHEMA) db/console/schema.sql $(content_steps) $(console_steps)
	@mkdir -p $(@D)
	@sh tests/next/make.sh $(@D) && touch $@
$(if $(TEST)$(FUZZING),$(BUILD)/lib/store/schemas.o: $(BUILD)/gen/next.h)
