#include "provider/openai/schema.h"

/* clang-format off */

#define TEXT "{\"type\":\"string\"}"
#define NUMBER "{\"type\":\"integer\"}"
#define LIST(of) "{\"type\":\"array\",\"items\":" of "}"
#define ONE_OF(names) "{\"type\":\"string\",\"enum\":[" names "]}"
#define OBJECT(required, properties)                                           \
	"{\"type\":\"object\",\"additionalProperties\":false,"                 \
	"\"required\":[" required "],\"properties\":{" properties "}}"

/* A heading and the points of its section. */
#define PART                                                                   \
	OBJECT("\"heading\",\"points\"",                                       \
	    "\"heading\":" TEXT ","                                            \
	    "\"points\":" LIST(TEXT))

const char openai_schema_research[] =
	OBJECT("\"topic\",\"summary\",\"angle\",\"audience\",\"outline\",\"questions\",\"keywords\",\"articles\"",
	    "\"topic\":" TEXT ",\"summary\":" TEXT ",\"angle\":" TEXT ",\"audience\":" TEXT ",\"outline\":" LIST(PART) ",\"questions\":" LIST(TEXT) ",\"keywords\":" LIST(TEXT) ",\"articles\":" LIST(NUMBER));

const char openai_schema_outline[] =
	OBJECT("\"title\",\"sections\"",
	    "\"title\":" TEXT ",\"sections\":" LIST(PART));

/* text is for a paragraph and for code; items is for the two lists. */
#define BLOCK                                                                  \
	OBJECT("\"type\",\"text\",\"items\"",                                  \
	    "\"type\":" ONE_OF("\"paragraph\",\"list\",\"numbered_list\","     \
		"\"code\"") ","                                                \
	    "\"text\":" TEXT ","                                               \
	    "\"items\":" LIST(TEXT))
#define STEP                                                                   \
	OBJECT("\"name\",\"text\"",                                            \
	    "\"name\":" TEXT ","                                               \
	    "\"text\":" TEXT)
#define TABLE                                                                  \
	OBJECT("\"caption\",\"columns\",\"rows\"",                             \
	    "\"caption\":" TEXT ","                                            \
	    "\"columns\":" LIST(TEXT) ","                                      \
	    "\"rows\":" LIST(LIST(TEXT)))
#define CALLOUT                                                                \
	OBJECT("\"kind\",\"title\",\"text\"",                                  \
	    "\"kind\":" ONE_OF("\"note\",\"tip\",\"important\",\"warning\"")   \
	    ","                                                                \
	    "\"title\":" TEXT ","                                              \
	    "\"text\":" TEXT)
#define SUBSECTION                                                             \
	OBJECT("\"heading\",\"blocks\"",                                       \
	    "\"heading\":" TEXT ","                                            \
	    "\"blocks\":" LIST(BLOCK))

const char openai_schema_section[] =
	OBJECT("\"blocks\",\"steps\",\"tables\",\"callouts\",\"subsections\"",
	    "\"blocks\":" LIST(BLOCK) ",\"steps\":" LIST(STEP) ",\"tables\":" LIST(TABLE) ",\"callouts\":" LIST(CALLOUT) ",\"subsections\":" LIST(SUBSECTION));

#define FAQ                                                                    \
	OBJECT("\"question\",\"answer\"",                                      \
	    "\"question\":" TEXT ","                                           \
	    "\"answer\":" TEXT)

const char openai_schema_closing[] =
	OBJECT("\"summary\",\"takeaways\",\"faqs\",\"description\",\"section\",\"tags\",\"image_prompt\",\"image_alt\",\"image_caption\"",
	    "\"summary\":" TEXT ",\"takeaways\":" LIST(TEXT) ",\"faqs\":" LIST(FAQ) ",\"description\":" TEXT ",\"section\":" TEXT ",\"tags\":" LIST(TEXT) ",\"image_prompt\":" TEXT ",\"image_alt\":" TEXT ",\"image_caption\":" TEXT);

const char openai_schema_checks[] =
	OBJECT("\"title\",\"description\"",
	    "\"title\":" TEXT ",\"description\":" TEXT);
