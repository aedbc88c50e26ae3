/* Your account: the authenticator and the recovery codes (docs/console.md §3.2, §4.2). Its
 * forms hold a password, so the page asks who it is before it is shown (§3.4). */
#include <string.h>

#include "action/person/credentials.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"

static const struct field confirm_fields[] = {
	{ .name = "offer", .kind = FIELD_HIDDEN },
	{ .name = "code",
	    .label = tr_mark("Code"),
	    .kind = FIELD_TEXT,
	    .max = 20,
	    .required = true,
	    .autocomplete = "one-time-code",
	    .inputmode = "numeric",
	    .dir = "ltr",
	    .hint = tr_mark("The six digits that the authenticator shows now.") },
	{ .name = "confirm",
	    .label = tr_mark("Confirm"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field codes_fields[] = {
	{ .name = "codes", .label = tr_mark("New recovery codes"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field remove_fields[] = {
	{ .name = "password",
	    .label = tr_mark("New password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "new-password",
	    .hint = tr_mark(
		"At least 12 characters: without an authenticator a password must be longer.") },
	{ .name = "remove",
	    .label = tr_mark("Remove"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct factor_state factor;
	struct form confirm, codes, removal;
	const char *secret, *qr; /* of an offer */
	int size;
	const char *shown[FACTOR_CODES]; /* recovery codes */
};

/* Makes the pictures of a secret. */
static void
show_secret(struct page *p, const unsigned char secret[TOTP_SECRET])
{
	struct arena *a = p->c->arena;

	p->secret = totp_grouped(a, totp_base32(a, secret, TOTP_SECRET));
	p->qr = totp_qr(a, totp_address(a, secret, "Galley", p->v->person->email), &p->size);
}

static struct page *
page_init(struct ctx *c, const struct visit *v, const char *offer)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const struct self self = self_of(v);
	unsigned char secret[TOTP_SECRET];

	p->c = c;
	p->v = v;
	self_factor(c, &self, &p->factor);
	form_init(&p->confirm, "confirm", confirm_fields);
	form_init(&p->codes, "codes", codes_fields);
	form_init(&p->removal, "removal", remove_fields);
	if (p->factor.exists)
		return p;
	if (offer == NULL || !factor_offered(c, v->person->uuid, offer, secret))
		offer = factor_offer(c, v->person->uuid, secret);
	form_fill(&p->confirm, "offer", offer);
	show_secret(p, secret);
	explicit_bzero(secret, sizeof(secret));
	return p;
}

static void
write_qr(struct hwrite *w, const struct page *p)
{
	hwrite_open(w, H_P);
	hwrite_open(w, H_SVG);
	hwrite_attr(w, A_VIEWBOX, arena_printf(p->c->arena, "0 0 %d %d", p->size, p->size));
	hwrite_number(w, A_WIDTH, 240);
	hwrite_number(w, A_HEIGHT, 240);
	hwrite_attr(w, A_ROLE, "img");
	hwrite_attr(w, A_ARIA_LABEL, tr("QR code of the secret below"));
	hwrite_attr(w, A_CLASS, "qr");
	hwrite_open(w, H_PATH);
	hwrite_attr(w, A_D, p->qr);
	hwrite_close(w, H_PATH);
	hwrite_close(w, H_SVG);
	hwrite_close(w, H_P);
}

static void
write_offer(struct hwrite *w, const struct page *p)
{
	hwrite_element(w, H_P,
	    tr("Scan this with the authenticator on your phone, or type the secret below into it. Then type the code that it shows."));
	write_qr(w, p);
	screen_copy(w, tr("the secret"), p->secret);
	console_form(p->c, p->v, w, &p->confirm, "/me/authenticator");
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	if (!p->factor.exists) {
		write_offer(w, p);
		return;
	}
	hwrite_element(w, H_H2, tr("Recovery codes"));
	hwrite_element(w, H_P,
	    arena_printf(p->c->arena,
		tr_count("%lld code is left. New codes end all older ones.",
		    "%lld codes are left. New codes end all older ones.", p->factor.codes_left),
		(long long)p->factor.codes_left));
	console_form(p->c, p->v, w, &p->codes, "/me/recovery-codes");
	hwrite_element(w, H_H2, tr("Remove the authenticator"));
	console_form(p->c, p->v, w, &p->removal, "/me/authenticator/remove");
}

static void
write_codes(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	hwrite_element(w, H_P,
	    tr("Each of these codes works once in place of the authenticator. Print them, or write them down: they are shown only now."));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < FACTOR_CODES; i++) {
		hwrite_open(w, H_LI);
		hwrite_element(w, H_CODE, p->shown[i]);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "/me"), tr("Your account"), true);
	hwrite_close(w, H_P);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	if (console_step_up(c, v, reply))
		console_page(c, v, reply, NULL, NULL, write_main, page_init(c, v, NULL));
	return NULL;
}

/* Ends a change that was refused: the page with the reason. */
static struct err *
refused(struct ctx *c, struct visit *v, struct reply *reply, struct page *p, struct form *f,
    struct err *err)
{
	if (err != NULL)
		err = console_wrong(c, v, reply, f, err);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_main, p);
	return err;
}

static struct err *
confirm(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, console_sent(v, "offer"));
	const struct self self = self_of(v);
	const char *offer;
	struct err *err;

	reply->status = 422;
	if (!console_read(c, v, &p->confirm))
		return refused(c, v, reply, p, &p->confirm, NULL);
	offer = form_text(&p->confirm, "offer");
	err = self_set_factor(c, &self, offer != NULL ? offer : "", form_text(&p->confirm, "code"),
	    p->shown, v->renewed);
	if (err != NULL)
		return refused(c, v, reply, p, &p->confirm, err);
	reply->status = 200;
	console_renewed(c, v);
	console_page(c, v, reply, tr("Recovery codes"), NULL, write_codes, p);
	return NULL;
}

static struct err *
draw(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, NULL);
	const struct self self = self_of(v);
	struct err *err = self_draw_codes(c, &self, p->shown);

	if (err == NULL)
		console_page(c, v, reply, tr("Recovery codes"), NULL, write_codes, p);
	return err;
}

static struct err *
removal(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, NULL);
	const struct self self = self_of(v);
	struct err *err;

	if (!p->factor.exists)
		return refuse(c, ERR_CONFLICT, "%s", tr("There is no authenticator any more."));
	reply->status = 422;
	console_will_go(v, "/me?notice=factor-removed");
	if (!console_read(c, v, &p->removal))
		return refused(c, v, reply, p, &p->removal, NULL);
	err = self_remove_factor(c, &self, form_text(&p->removal, "password"), v->renewed);
	if (err != NULL)
		return refused(c, v, reply, p, &p->removal, err);
	console_go(c, v, reply, "/me", "factor-removed");
	return NULL;
}

const struct console_row authenticator_screens[] = {
	{ .method = "GET",
	    .pattern = "/me/authenticator",
	    .title = tr_mark("Authenticator"),
	    .access = SCREEN_ANYBODY,
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/me/authenticator",
	    .title = tr_mark("Authenticator"),
	    .access = SCREEN_ANYBODY,
	    .step_up = true,
	    .handler = confirm },
	{ .method = "POST",
	    .pattern = "/me/recovery-codes",
	    .title = tr_mark("Recovery codes"),
	    .access = SCREEN_ANYBODY,
	    .step_up = true,
	    .handler = draw },
	{ .method = "POST",
	    .pattern = "/me/authenticator/remove",
	    .title = tr_mark("Authenticator"),
	    .access = SCREEN_ANYBODY,
	    .step_up = true,
	    .handler = removal },
	{ .method = NULL },
};
