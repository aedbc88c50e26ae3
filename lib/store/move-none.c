/* The store of a program that moves no instance: each but the operator's tool of the build
 * STORE=pg, which knows both stores (store/both/). */
#include "store/move.h"

#include "base/log.h"

static _Noreturn void
cannot(void)
{
	BUG("this program moves no instance");
}

bool
move_is_built(void)
{
	return false;
}

bool
move_is_lite(struct ctx *c)
{
	(void)c;
	cannot();
}

int64_t
move_number(struct ctx *c, enum db_store store)
{
	(void)c;
	(void)store;
	cannot();
}

bool
move_is_closed(struct ctx *c)
{
	(void)c;
	cannot();
}

bool
move_is_reached(struct ctx *c)
{
	(void)c;
	cannot();
}

bool
move_is_empty(struct ctx *c)
{
	(void)c;
	cannot();
}

void
move_close(struct ctx *c)
{
	(void)c;
	cannot();
}

void
move_open(struct ctx *c, void (*change)(struct ctx *c))
{
	(void)c;
	(void)change;
	cannot();
}

bool
move_looks_same(struct ctx *c, const struct instance *to, move_look *look)
{
	(void)c;
	(void)to;
	(void)look;
	cannot();
}

struct err *
move_rows(struct ctx *c, const struct instance *to, const char *folder, move_look *look)
{
	(void)c;
	(void)to;
	(void)folder;
	(void)look;
	cannot();
}
