#ifndef SCREENS_H
#define SCREENS_H
/* What one screen gives to others. */
#include "action/person/signing.h"
#include "console/answer.h"

/* Who signs in, as far as the request says it (sign-in.c). */
struct sign_order sign_order_of(const struct visit *v);

/* Sends a browser that was signed in to a path below the root, with its cookies, and
 * clears `in` (sign-in.c). `notice` may be NULL. */
void sign_go_on(struct ctx *c, struct visit *v, struct reply *reply, struct signed_in *in,
    const char *then, const char *notice);

/* Writes the cover of an article, small; where it has no thumbnail, the first letter of its title
 * (articles/articles-bar.c). */
struct page;
void
articles_write_cover(struct hwrite *w, const struct page *p, const char *title, const char *cover);

/* Returns what a key may do, in words (arena; keys.c). */
struct apikey;
const char *key_may(struct ctx *c, const struct apikey *key);

/* Writes how a site is, in one or some words (sites-screen.c). */
struct site;
void sites_write_state(struct hwrite *w, const struct site *s);

/* What a customer has and does, and what goes wrong there, or soon will (account/customer.c). */
struct account;
struct customer {
	int64_t id; /* of the account: what finds one in a list */
	const struct account *account; /* is given */
	int64_t workspaces, jobs; /* jobs: ordered in the last 7 days */
	int64_t failed_jobs; /* of the last 7 days */
	int64_t ending_keys; /* within 14 days, without a successor */
	int64_t behind; /* websites that read, and asked for nothing in the last three days */
	int64_t seen_at; /* when somebody of the account signed in last; 0: never */
};

/* Fills the rest of a list in the order of internal ids, in transactions of its own. */
void customers_look(struct ctx *c, struct customer *list, size_t count);

/* Returns how much a customer needs a look: 2 and more for one that does. */
int customer_rank(const struct customer *one);

/* Writes it as a row of the list. */
struct page;
void customer_write_row(struct hwrite *w, struct page *p, const struct customer *one);

/* Writes how the account gets verified, on a page that needs that: an owner gets the button, or
 * what became of it; all others learn whom to ask. Nothing where it is verified or suspended.
 * It is its own transaction (account/verification.c). */
void verification_write(struct hwrite *w, struct ctx *c, const struct visit *v);

#endif
