/* The list of articles: its search, its filters, and the acts on what is chosen. */
#include "all.h"
#include "articles.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"

/* ---- the search */

static const struct field_choice order_choices[] = {
	{ "newest", tr_mark("Newest first") },
	{ "oldest", tr_mark("Oldest first") },
	{ "changed", tr_mark("Last changed first") },
	{ NULL, NULL },
};

static const struct field search_fields[] = {
	{ .name = "search", .label = tr_mark("Search"), .kind = FIELD_TEXT },
	{ .name = "status", .kind = FIELD_HIDDEN },
	{ .name = "many", .kind = FIELD_HIDDEN },
	{ .name = "language", .label = tr_mark("Language"), .kind = FIELD_TEXT, .dir = "ltr" },
	{ .name = "tag", .label = tr_mark("Tag"), .kind = FIELD_TEXT },
	{ .name = "order",
	    .label = tr_mark("Order"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = order_choices },
	{ .name = "find", .label = tr_mark("Find"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const char *const status_labels[] = { [BROWSING_ALL] = tr_mark("All"),
	[BROWSING_DRAFT] = tr_mark("Drafts"),
	[BROWSING_REVIEW] = tr_mark("In review"),
	[BROWSING_SCHEDULED] = tr_mark("Scheduled"),
	[BROWSING_PUBLISHED] = tr_mark("Published"),
	[BROWSING_CHANGED] = tr_mark("Changed"),
	[BROWSING_TRASH] = tr_mark("Trash") };

void
articles_fill(struct form *f, const struct articles *l)
{
	const struct browsing *b = &l->browsing;

	form_fill(f, "search", b->search);
	form_fill(f, "status", articles_statuses[b->status]);
	form_fill(f, "language", b->language);
	form_fill(f, "tag", b->tag);
	form_fill(f, "order", articles_orders[b->order]);
	form_fill(f, "many", l->many ? "1" : NULL);
}

/* The search is in sight; language, tag and order are behind "More", which is open where one
 * of them is used. */
void
articles_write_search(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;
	struct form f;

	form_init(&f, "search", search_fields);
	articles_fill(&f, l);
	form_write_begin(w, &f,
	    &(struct form_head) { .search = true,
		.action = console_path(l->c, l->v, "/%s/articles", l->v->workspace->uuid) });
	form_write_field(w, &f, "search");
	form_write_field(w, &f, "status");
	form_write_field(w, &f, "many");
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons");
	form_write_field(w, &f, "find");
	hwrite_close(w, H_DIV);
	hwrite_open(w, H_DETAILS);
	hwrite_flag(
	    w, A_OPEN, b->language != NULL || b->tag != NULL || b->order != BROWSING_NEWEST);
	hwrite_element(w, H_SUMMARY, tr("More"));
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "more");
	form_write_field(w, &f, "language");
	form_write_field(w, &f, "tag");
	form_write_field(w, &f, "order");
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_DETAILS);
	form_write_end(w);
}

void
articles_write_filters(struct hwrite *w, const struct articles *l)
{
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "filters");
	hwrite_attr(w, A_ARIA_LABEL, tr("Status"));
	hwrite_open(w, H_UL);
	for (unsigned i = 0; i <= BROWSING_TRASH; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, articles_of_status(l, articles_statuses[i]));
		if (l->browsing.status == i)
			hwrite_attr(w, A_ARIA_CURRENT, "true");
		hwrite_text(w, tr(status_labels[i]));
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
}

/* ---- the acts on many */

static const struct field act_fields[] = {
	ARTICLES_ASKED,
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT },
	{ .name = "unpublish", .label = tr_mark("Unpublish"), .kind = FIELD_SUBMIT },
	{ .name = "trash",
	    .label = tr_mark("Move to trash"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field draft_fields[] = {
	ARTICLES_ASKED,
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT },
	{ .name = "trash",
	    .label = tr_mark("Move to trash"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field trash_fields[] = {
	ARTICLES_ASKED,
	{ .name = "restore", .label = tr_mark("Restore"), .kind = FIELD_SUBMIT },
	{ .name = "destroy",
	    .label = tr_mark("Delete for good"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field restore_fields[] = {
	ARTICLES_ASKED,
	{ .name = "restore", .label = tr_mark("Restore"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field destroy_fields[] = {
	ARTICLES_ASKED,
	{ .name = "destroy",
	    .label = tr_mark("Delete for good"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field *
fields_of(const struct articles *l)
{
	bool publish = console_may(l->v, RIGHT_PUBLISH);
	bool manage = console_may(l->v, RIGHT_MANAGE);

	if (l->browsing.status == BROWSING_TRASH)
		return publish && manage ? trash_fields
		       : publish	 ? restore_fields
		       : manage		 ? destroy_fields
					 : NULL;
	if (!publish)
		return NULL;
	return l->browsing.status == BROWSING_DRAFT ? draft_fields : act_fields;
}

struct form *
articles_form(struct ctx *c, const struct articles *l)
{
	const struct field *fields = fields_of(l);
	struct form *f;

	if (fields == NULL)
		return NULL;
	f = arena_alloc(c->arena, sizeof(*f));
	form_init(f, "acts", fields);
	articles_fill(f, l);
	return f;
}
