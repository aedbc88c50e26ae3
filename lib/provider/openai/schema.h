#ifndef PROVIDER_OPENAI_SCHEMA_H
#define PROVIDER_OPENAI_SCHEMA_H
/*
 * The shapes of the model's answers, as JSON Schema. They use only what every endpoint
 * with structured output takes: types, enums, all members required, no other members.
 * The prompt tells lengths and counts, and check.h checks them.
 */
extern const char openai_schema_research[];
extern const char openai_schema_outline[];
extern const char openai_schema_section[];
extern const char openai_schema_closing[];
extern const char openai_schema_checks[];

#endif
