/* The page around a screen: its head, the menus, the places at the side and in the dock, and the
 * title; and the pictures beside words. */
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "screen/assets.h"
#include "screen/screen.h"
#include "screen/tr.h"

static void
open_class(struct hwrite *w, enum hwrite_element e, const char *class)
{
	hwrite_open(w, e);
	hwrite_attr(w, A_CLASS, class);
}

/* ---- what a browser reads first */

static void
write_meta(struct hwrite *w, const char *name, const char *content)
{
	hwrite_open(w, H_META);
	hwrite_attr(w, A_NAME, name);
	hwrite_attr(w, A_CONTENT, content);
}

static void
write_sheet(struct hwrite *w, const char *address)
{
	hwrite_open(w, H_LINK);
	hwrite_attr(w, A_REL, "stylesheet");
	hwrite_address(w, A_HREF, address);
}

static void
write_script(struct hwrite *w, const char *address)
{
	hwrite_open(w, H_SCRIPT);
	hwrite_address(w, A_SRC, address);
	hwrite_flag(w, A_DEFER, true);
	hwrite_close(w, H_SCRIPT);
}

static void
write_head(struct hwrite *w, const struct screen *s)
{
	const char *name = s->site != NULL ? s->site : "Galley";

	hwrite_open(w, H_HEAD);
	hwrite_open(w, H_META);
	hwrite_attr(w, A_CHARSET, "utf-8");
	write_meta(w, "viewport", "width=device-width, initial-scale=1");
	write_meta(w, "robots", "noindex");
	write_meta(w, "color-scheme", "light dark");
	/* A page that asks for itself is not used by that (docs/console.md §3.3). */
	if (s->refresh_s > 0)
		hwrite_refresh(w, s->refresh_s, "?again");
	hwrite_open(w, H_TITLE);
	if (s->wrong)
		hwrite_text(w, tr("Error: "));
	hwrite_text(w, s->title);
	hwrite_text(w, " \u2013 ");
	hwrite_text(w, name);
	hwrite_close(w, H_TITLE);
	write_sheet(w, asset_address(w->out->arena, s->root, ASSET_SHEET));
	if (s->sheet != NULL)
		write_sheet(w, s->sheet);
	icon_write(w, s->root);
	if (s->script != NULL)
		write_script(w, s->script);
	if (s->links != NULL)
		write_script(w, asset_address(w->out->arena, s->root, ASSET_MENUS));
	hwrite_close(w, H_HEAD);
}

/* ---- pictures: paths of 24 units. Those that point along the text turn with it. */

static const char *const icons[ICON_COUNT] = {
	[ICON_HOME] = "M4 11l8-7 8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.5a.5.5 0 0 1-.5-.5z",
	[ICON_ARTICLES] = "M6 3.5h9l4 4V20.5H6zM14.5 3.5V8H19M9 12h7M9 16h5",
	[ICON_PICTURES] = "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.5h.01",
	[ICON_STATISTICS] = "M5 20v-7M12 20V4M19 20v-10",
	[ICON_SITES] =
	    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c4.6 4.6 4.6 12.4 0 17M12 3.5c-4.6 4.6-4.6 12.4 0 17",
	[ICON_ORDERS] = "M12 3.5l2 6 6.5 2.5-6.5 2.5-2 6-2-6L3.5 12l6.5-2.5z",
	[ICON_MOVING] = "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15",
	[ICON_SETTINGS] = "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
	[ICON_KEYS] = "M8.5 11.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11.3 12.7l8.2-8.2M16 8l2.5 2.5",
	[ICON_PEOPLE] =
	    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.7-5.5 6-5.5s6 2 6 5.5M16 4.8a3.5 3.5 0 0 1 0 6.4M18 15c1.9.8 3 2.5 3 5",
	[ICON_CUSTOMERS] =
	    "M4 20V6l7-2.5V20M11 9h9v11M7 9h.01M7 13h.01M15 13h.01M15 16.5h.01M3 20h18",
	[ICON_INSTANCE] = "M4.5 5h15v6h-15zM4.5 13h15v6h-15zM8 8h.01M8 16h.01",
	[ICON_NEW] = "M12 5v14M5 12h14",
	[ICON_MORE] = "M4 7h16M4 12h16M4 17h16",
	[ICON_FIND] = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
	[ICON_FILTER] = "M4 6h16M7 12h10M10 18h4",
	[ICON_OPEN] = "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
	[ICON_UNDO] = "M9 7L4.5 11.5 9 16M4.5 11.5H15a4.5 4.5 0 0 1 0 9h-3",
	[ICON_CARE] = "M12 4l9 16H3zM12 10v4M12 17h.01",
	[ICON_DONE] = "M5 12.5l4.5 4.5L19 7.5",
	[ICON_DOWN] = "M6 9l6 6 6-6",
	[ICON_BACK] = "M15 5l-7 7 7 7",
	[ICON_NEXT] = "M9 5l7 7-7 7",
};

void
screen_icon(struct hwrite *w, enum screen_icon icon)
{
	hwrite_icon(w,
	    icon == ICON_UNDO	? "i flip"
	    : icon < ICON_DOWN	? "i"
	    : icon == ICON_DOWN ? "chev"
				: "chev flip",
	    icons[icon]);
}

/* Writes the first letter of a name. */
static void
write_mark(struct hwrite *w, const char *class, const char *name)
{
	const char *end = name;

	if (*name != '\0' && utf8_sequence(name) > 0)
		end += utf8_sequence(name);
	open_class(w, H_SPAN, class);
	hwrite_attr(w, A_ARIA_HIDDEN, "true");
	hwrite_text_n(w, name, (size_t)(end - name));
	hwrite_close(w, H_SPAN);
}

/* ---- the frame */

/* Whether the page is that of the link, or is below it. Home is above all pages, and is marked on
 * its own page only, and on that of the root. */
static bool
is_current(const struct screen *s, const struct screen_link *link)
{
	size_t len = strlen(link->address), root = strlen(s->root);

	if (link->icon == ICON_HOME && s->path != NULL && strncmp(s->path, s->root, root) == 0 &&
	    strcmp(s->path + root, "/") == 0)
		return true;
	if (s->path == NULL || strncmp(s->path, link->address, len) != 0)
		return false;
	return s->path[len] == '\0' || (s->path[len] == '/' && link->icon != ICON_HOME);
}

static void
write_link(struct hwrite *w, const struct screen *s, const struct screen_link *link)
{
	hwrite_open(w, H_A);
	if (s != NULL && link->icon == ICON_NEW)
		hwrite_attr(w, A_CLASS, "new");
	hwrite_address(w, A_HREF, link->address);
	if (s != NULL && is_current(s, link))
		hwrite_attr(w, A_ARIA_CURRENT, "page");
	if (link->icon != ICON_NOTHING)
		screen_icon(w, link->icon);
	hwrite_text(w, link->label);
	hwrite_close(w, H_A);
}

/* Writes the places, each group with its title. */
static void
write_places(struct hwrite *w, const struct screen *s)
{
	for (const struct screen_link *link = s->links; link->address != NULL; link++) {
		if (link->group != NULL)
			hwrite_element(w, H_H2, link->group);
		if (link == s->links || link->group != NULL)
			hwrite_open(w, H_UL);
		hwrite_open(w, H_LI);
		write_link(w, s, link);
		hwrite_close(w, H_LI);
		if (link[1].address == NULL || link[1].group != NULL)
			hwrite_close(w, H_UL);
	}
}

static void
begin_navigation(struct hwrite *w, const char *class)
{
	open_class(w, H_NAV, class);
	hwrite_attr(w, A_ARIA_LABEL, tr("Places"));
}

/* The places of a narrow window: the first ones, and all in a sheet. */
static void
write_dock(struct hwrite *w, const struct screen *s)
{
	begin_navigation(w, "dock");
	for (const struct screen_link *link = s->dock; link != NULL && link->address != NULL;
	     link++)
		write_link(w, s, link);
	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_NAME, "menu");
	hwrite_open(w, H_SUMMARY);
	screen_icon(w, ICON_MORE);
	hwrite_text(w, tr("More"));
	hwrite_close(w, H_SUMMARY);
	open_class(w, H_DIV, "sheet");
	write_places(w, s);
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_DETAILS);
	hwrite_close(w, H_NAV);
}

/* Menus close each other where the browser knows their name. */
static void
begin_menu(struct hwrite *w, const char *class)
{
	open_class(w, H_DETAILS, class);
	hwrite_attr(w, A_NAME, "menu");
	hwrite_open(w, H_SUMMARY);
}

static void
write_menu(struct hwrite *w, const struct screen_link *links)
{
	for (const struct screen_link *link = links; link != NULL && link->address != NULL;
	     link++) {
		if (link->group != NULL)
			hwrite_open(w, H_HR);
		write_link(w, NULL, link);
	}
}

static void
write_sites(struct hwrite *w, const struct screen *s)
{
	const char *name = s->site != NULL ? s->site : "Galley";

	begin_menu(w, "pop");
	write_mark(w, "mark", name);
	hwrite_open(w, H_B);
	screen_data(w, name);
	hwrite_close(w, H_B);
	screen_icon(w, ICON_DOWN);
	hwrite_close(w, H_SUMMARY);
	hwrite_open(w, H_DIV);
	write_menu(w, s->sites);
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_DETAILS);
}

static void
write_sign_out(struct hwrite *w, const struct screen *s)
{
	hwrite_open(w, H_FORM);
	hwrite_attr(w, A_METHOD, "post");
	hwrite_address(w, A_ACTION, arena_printf(w->out->arena, "%s/sign-out", s->root));
	hwrite_attr(w, A_ENCTYPE, "multipart/form-data");
	hwrite_hidden(w, "token", s->token);
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "submit");
	hwrite_text(w, tr("Sign out"));
	hwrite_close(w, H_BUTTON);
	hwrite_close(w, H_FORM);
}

static void
write_person(struct hwrite *w, const struct screen *s)
{
	begin_menu(w, "pop end");
	write_mark(w, "mark person-of", s->person);
	open_class(w, H_SPAN, "heard");
	screen_sentence(w, tr("Account of %s"), s->person);
	hwrite_close(w, H_SPAN);
	hwrite_close(w, H_SUMMARY);
	hwrite_open(w, H_DIV);
	hwrite_open(w, H_P);
	hwrite_open(w, H_B);
	screen_data(w, s->person);
	hwrite_close(w, H_B);
	hwrite_open(w, H_BR);
	open_class(w, H_SPAN, "soft");
	screen_data(w, s->email);
	hwrite_close(w, H_SPAN);
	hwrite_close(w, H_P);
	hwrite_open(w, H_HR);
	write_menu(w, s->mine);
	hwrite_open(w, H_HR);
	write_sign_out(w, s);
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_DETAILS);
}

static void
write_frame(struct hwrite *w, const struct screen *s)
{
	open_class(w, H_HEADER, "head");
	write_sites(w, s);
	if (s->person != NULL)
		write_person(w, s);
	hwrite_close(w, H_HEADER);
	begin_navigation(w, "side");
	write_places(w, s);
	hwrite_close(w, H_NAV);
}

static bool
is_in_dock(const struct screen *s, const struct screen_link *link)
{
	for (const struct screen_link *in = s->dock; in != NULL && in->address != NULL; in++) {
		if (strcmp(in->address, link->address) == 0)
			return true;
	}
	return false;
}

/* Writes a button of the page's head: the last one is the primary one. What is in the dock, too, is
 * not there in a narrow window. */
static void
write_action(struct hwrite *w, const struct screen *s, const struct screen_link *link)
{
	open_class(w, H_A,
	    link[1].address != NULL ? "button"
	    : is_in_dock(s, link)   ? "button primary wide"
				    : "button primary");
	hwrite_address(w, A_HREF, link->address);
	if (link->icon != ICON_NOTHING)
		screen_icon(w, link->icon);
	hwrite_text(w, link->label);
	hwrite_close(w, H_A);
}

static void
write_heading(struct hwrite *w, const struct screen *s)
{
	if (s->back != NULL) {
		open_class(w, H_A, "crumb");
		hwrite_address(w, A_HREF, s->back->address);
		screen_icon(w, ICON_BACK);
		hwrite_text(w, s->back->label);
		hwrite_close(w, H_A);
	}
	open_class(w, H_DIV, "page-head");
	if (s->under != NULL)
		hwrite_open(w, H_DIV);
	hwrite_open(w, H_H1);
	screen_data(w, s->title);
	hwrite_close(w, H_H1);
	if (s->under != NULL) {
		hwrite_element(w, H_P, s->under);
		hwrite_close(w, H_DIV);
	}
	for (const struct screen_link *link = s->actions; link != NULL && link->address != NULL;
	     link++)
		write_action(w, s, link);
	hwrite_close(w, H_DIV);
}

/* ---- the page */

void
screen_page(struct buf *out, const struct screen *s, screen_main *write_main, const void *data)
{
	const bool desk = s->desk != NULL;
	struct hwrite w;

	hwrite_init(&w, out);
	hwrite_doctype(&w);
	hwrite_open(&w, H_HTML);
	hwrite_language(&w, s->language);
	write_head(&w, s);
	hwrite_open(&w, H_BODY);
	hwrite_attr(&w, A_CLASS, desk ? "at-desk" : s->links != NULL ? "app" : "out");
	open_class(&w, H_A, "skip");
	hwrite_address(&w, A_HREF, desk ? s->desk : "#main");
	hwrite_text(&w, desk ? tr("Skip to the text") : tr("Skip to the content"));
	hwrite_close(&w, H_A);
	if (s->links != NULL)
		write_frame(&w, s);
	hwrite_open(&w, H_MAIN);
	hwrite_attr(&w, A_CLASS, desk || s->links != NULL ? NULL : "enter");
	hwrite_attr(&w, A_ID, "main");
	hwrite_number(&w, A_TABINDEX, -1);
	if (!desk && s->links == NULL)
		write_mark(&w, "mark", "G");
	if (!desk)
		write_heading(&w, s);
	write_main(&w, data);
	if (w.copies)
		write_script(&w, asset_address(out->arena, s->root, ASSET_COPIES));
	hwrite_close(&w, H_MAIN);
	if (s->links != NULL)
		write_dock(&w, s);
	hwrite_close(&w, H_BODY);
	hwrite_close(&w, H_HTML);
	hwrite_end(&w);
}
