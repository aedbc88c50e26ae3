#include "action/home/steps.h"

#include <string.h>

#include "access/apikey.h"
#include "access/word.h"
#include "access/workspace.h"
#include "article/article.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/membership.h"
#include "people/person.h"
#include "store/db.h"

struct reading {
	const struct places *p;
	struct steps *out;
};

static bool
is_member(const struct places *p, const struct account *a)
{
	for (size_t i = 0; i < p->account_count; i++) {
		if (p->accounts[i].account->id == a->id)
			return true;
	}
	return false;
}

static const struct places_row *
newest(const struct places *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct places_row *row = &p->rows[i];
		if ((row->rights & RIGHT_MANAGE) != 0 && !row->account->suspended &&
		    (!p->operates || !p->many || is_member(p, row->account)))
			return row;
	}
	return NULL;
}

static void
note_key(void *arg, const struct apikey *key)
{
	struct reading *r = arg;

	(void)key;
	r->out->done[STEPS_KEY] = true;
}

static void
note_member(void *arg, const struct membership *m)
{
	struct reading *r = arg;

	if (m->person_id != r->p->person_id &&
	    (m->kind == MEMBERSHIP_ACCOUNT || strcmp(m->place, r->out->row->uuid) == 0))
		r->out->done[STEPS_PEOPLE] = true;
}

void
steps_read(struct ctx *c, const struct places *p, struct steps *out)
{
	struct reading r = { .p = p, .out = out };
	const struct workspace *w;
	int64_t hidden_at;

	*out = (struct steps) { .row = newest(p) };
	if (out->row == NULL)
		return;
	db_begin_read(c, DB_CONSOLE);
	hidden_at = person_steps_hidden_at(c, p->person_id);
	membership_list_account(c, out->row->account->uuid, note_member, &r);
	db_rollback(c);
	db_begin_read(c, DB_CONTENT);
	w = workspace_of(c, out->row->id);
	if (w->created_at <= hidden_at ||
	    w->created_at < clock_now() - INT64_C(86400) * STEPS_DAYS * CLOCK_SECOND) {
		out->row = NULL;
	} else {
		out->done[STEPS_ARTICLE] = article_any(c, w->id);
		out->done[STEPS_PAGES] = word_of(c, w->id)[0] != '\0';
		apikey_list(c, w->id, note_key, &r);
	}
	db_rollback(c);
	for (size_t i = 0; i < STEPS_KINDS; i++)
		out->count += out->done[i];
	if (out->count == STEPS_KINDS)
		out->row = NULL;
}
