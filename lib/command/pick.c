#include "command/pick.h"

#include "action/read.h"
#include "command/number.h"
#include "command/workspace/chosen.h"

struct find_place
pick_place(struct ctx *c, const struct call *call, const char *name)
{
	struct find_place place = { .name = name };

	if (name == NULL)
		place.chosen = chosen_workspace(c, call, &place.chosen_by);
	return place;
}

struct err *
pick_workspace(struct ctx *c, const struct call *call, const char *name, struct workspace **out)
{
	struct find_place place = pick_place(c, call, name);

	return find_workspace(c, &place, out);
}

struct err *
pick_article(struct ctx *c, struct call *call, size_t i, struct article **out)
{
	struct find_place place = pick_place(c, call, NULL);
	struct err *err;

	err = find_article(c, &place, call->operands[i], out);
	if (err == NULL)
		call->operands[i] = (*out)->uuid;
	return err;
}

struct err *
pick_edition(struct ctx *c, const struct article *a, const char *number, struct edition *out)
{
	int64_t version = FIND_NEWEST;
	struct err *err = NULL;

	if (number != NULL)
		err = number_read(c, number, "number of an edition", &version);
	return err != NULL ? err : find_edition(c, a, version, out);
}

struct err *
pick_one_article(struct ctx *c, struct call *call, size_t i, struct article **out)
{
	struct find_place place = pick_place(c, call, NULL);
	struct err *err = read_article(c, &place, call->operands[i], out);

	if (err == NULL)
		call->operands[i] = (*out)->uuid;
	return err;
}

struct err *
pick_version(struct ctx *c, const struct call *call, int64_t *version)
{
	const char *number = call_option(call, "edition");

	*version = FIND_NEWEST;
	return number == NULL ? NULL : number_read(c, number, "number of an edition", version);
}
