#ifndef PROVIDER_OPENAI_SCHEMA_H
#define PROVIDER_OPENAI_SCHEMA_H
/*
 * The shapes of the model's answers, as JSON Schema. Only what every endpoint
 * with structured output takes: types, enums, all members required, no
 * others. Lengths and counts are said in the prompt and checked by us.
 */
extern const char openai_schema_research[];
extern const char openai_schema_outline[];
extern const char openai_schema_section[];
extern const char openai_schema_closing[];
extern const char openai_schema_checks[];

#endif
