#include "provider/openai/check.h"

#include "provider/openai/text.h"

static bool
is_filled(struct jread *r, const char *text, size_t max)
{
	return openai_text_plain(r->c, text, max)[0] != '\0';
}

void
openai_check_filled(struct jread *r, json_t *object, const char *name, size_t max)
{
	const char *text = jread_text(r, object, name, JREAD_NEEDED, max);

	if (text != NULL && !is_filled(r, text, max))
		jread_refuse(r, name, "must not be empty.");
}

static json_t *
check_array(struct jread *r, json_t *object, const char *name, size_t min, size_t max)
{
	json_t *array = jread_array(r, object, name, JREAD_NEEDED, max);

	if (array != NULL && json_array_size(array) < min)
		jread_refuse(
		    r, name, "must have at least %zu element%s.", min, min == 1 ? "" : "s");
	return array;
}

void
openai_check_texts(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, size_t text_max)
{
	json_t *array = check_array(r, object, name, min, max);

	jread_enter(r, name);
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text;
		jread_enter_element(r, i);
		text = jread_element_text(r, json_array_get(array, i), text_max);
		if (text != NULL && !is_filled(r, text, text_max))
			jread_refuse(r, NULL, "must not be empty.");
		jread_leave(r);
	}
	jread_leave(r);
}

void
openai_check_objects(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, openai_check *check)
{
	json_t *array = check_array(r, object, name, min, max);

	jread_enter(r, name);
	for (size_t i = 0; i < json_array_size(array); i++) {
		jread_enter_element(r, i);
		check(r, jread_element_object(r, json_array_get(array, i)));
		jread_leave(r);
	}
	jread_leave(r);
}
