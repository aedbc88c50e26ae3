/*
 * The provider that speaks to any OpenAI-compatible endpoint (design §5). An
 * order comes on standard input, JSON lines go to standard output; galley.conf
 * of its instance says which endpoint, model and key.
 */
#include "provider/openai.h"

int
main(void)
{
	struct arena arena;
	struct order order;
	struct ctx c;

	protocol_begin(&c, &arena, "provider-openai");
	protocol_read(&c, &order);
	openai_answer(&c, &order);
	return 0;
}
