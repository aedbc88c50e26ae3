#ifndef SCREEN_SCREEN_H
#define SCREEN_SCREEN_H
/*
 * The page around a screen, and what screens have in common: notices, lists, an empty state.
 *
 *	static void
 *	write_main(struct hwrite *w, const void *data)
 *	{
 *		const struct articles *found = data;
 *
 *		if (found->count == 0)
 *			screen_empty(w, tr("No article is here yet."),
 *			    found->new_address, tr("New article"));
 *	}
 *
 *	screen_page(out, &(struct screen){ .language = "en", .title = tr("Articles"),
 *	    .root = "/console", .path = "/console/W/articles", .links = links, .dock = dock,
 *	    .sites = sites, .mine = mine, .person = "Dana", .email = "dana@example.com",
 *	    .token = token }, write_main, &found);
 *
 * Every page is whole: doctype, language and direction, title, one style sheet, a skip link, a head
 * with menus, the places (at the side, and below in a narrow window), main. There is no inline
 * script or style and nothing from another host (docs/console.md §3.11). Texts of data (a title, a
 * name) are isolated, so that one of the other direction does not turn what is beside it.
 *
 * lib/screen: HTML, forms, charts, languages, the console's scripts and sheets. Not here: requests
 * (lib/console). Begin with screen.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "screen/hwrite.h"

/* A picture beside a word. */
enum screen_icon {
	ICON_NOTHING,
	ICON_HOME,
	ICON_ARTICLES,
	ICON_PICTURES,
	ICON_STATISTICS,
	ICON_SITES,
	ICON_ORDERS,
	ICON_MOVING,
	ICON_SETTINGS,
	ICON_KEYS,
	ICON_PEOPLE,
	ICON_CUSTOMERS,
	ICON_INSTANCE,
	ICON_NEW,
	ICON_MORE,
	ICON_FIND,
	ICON_FILTER,
	ICON_OPEN,
	ICON_UNDO,
	ICON_CARE,
	ICON_DONE,
	ICON_DOWN, /* a menu opens */
	ICON_BACK,
	ICON_NEXT,
	ICON_COUNT
};

/* A link of the frame. */
struct screen_link {
	const char *address; /* NULL ends the table */
	const char *label; /* in the interface's language */
	enum screen_icon icon;
	const char *group; /* begins here: its title, in a menu a line; NULL: no group does */
};

struct screen {
	const char *language; /* of the interface: a tag */
	const char *title; /* of the page; also its heading */
	const char *under; /* a sentence below the heading, or NULL */
	const struct screen_link *back; /* the list that the page is below, or NULL */
	const struct screen_link
	    *actions; /* beside the title: the last is what to do first; or NULL */
	const char *site; /* the name of the workspace or account, or NULL */
	const char *root; /* of the console's addresses: "/console" */
	const char *path; /* of this page: marks its link, and those above it */
	const struct screen_link *links; /* the places; NULL: no frame (signed out) */
	const struct screen_link *dock; /* of narrow windows, before "More" */
	const struct screen_link *sites; /* the menu of `site` */
	const struct screen_link *mine; /* that of the person */
	const char *person, *email; /* who is signed in; with `links` */
	const char *token; /* of the session: "Sign out" is a form */
	int refresh_s; /* the page asks for itself after so long; 0: never */
	const char *script; /* the address of the page's script, or NULL */
	const char *sheet; /* that of a second sheet, or NULL */
	bool wrong; /* a form was refused: the title says so first */
	/* A page that is a desk to work at has no header, navigation and footer, and `write_main`
	 * writes its heading: the place to which the first link leads ("#text"); else NULL. */
	const char *desk;
};

/* Writes what is inside <main>, below the heading. */
typedef void screen_main(struct hwrite *w, const void *data);

/* Writes a whole document into `out`. */
void
screen_page(struct buf *out, const struct screen *s, screen_main *write_main, const void *data);

/* ---- pieces */

enum screen_tone { SCREEN_NOTE, SCREEN_GOOD, SCREEN_WARNING, SCREEN_BAD };

/*
 * Writes a sentence that holds texts of data, each isolated:
 *
 *	screen_sentence(w, tr("“%s” is published."), title);
 *
 * The format has at most four %s, and no other directive but %%. A translation may change
 * their order: %2$s.
 */
void
screen_sentence(struct hwrite *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A value within a text, for @ lines (docs/console.md §6.1): HOLE(x) is a text of data, which is
 * isolated, or a number; OURS(x) is a text of the interface. Any other type does not compile.
 */
struct screen_hole {
	enum { SCREEN_DATA, SCREEN_OURS, SCREEN_NUMBER } kind;
	const char *text; /* NULL: nothing */
	int64_t number;
};

static inline struct screen_hole
screen_hole_data(const char *text)
{
	return (struct screen_hole) { .kind = SCREEN_DATA, .text = text };
}

static inline struct screen_hole
screen_hole_ours(const char *text)
{
	return (struct screen_hole) { .kind = SCREEN_OURS, .text = text };
}

static inline struct screen_hole
screen_hole_number(int64_t number)
{
	return (struct screen_hole) { .kind = SCREEN_NUMBER, .number = number };
}

static inline struct screen_hole
screen_hole_size(uint64_t number)
{
	return screen_hole_number((int64_t)number);
}

/* clang-format off */
#define SCREEN_HOLE(x, of_text) _Generic((x), char *: of_text, const char *: of_text, \
	int: screen_hole_number, long: screen_hole_number, long long: screen_hole_number, \
	unsigned: screen_hole_size, unsigned long: screen_hole_size)(x)
/* clang-format on */
#define HOLE(x) SCREEN_HOLE(x, screen_hole_data)
#define OURS(x) SCREEN_HOLE(x, screen_hole_ours)

/* Writes a sentence with `count` holes, at most four. A directive of a number may be %d, %lld, %zu,
 * too. */
void
screen_message(struct hwrite *w, const char *format, size_t count, const struct screen_hole *holes);

/* Returns it as a text without isolation, for an attribute that people read (arena). */
const char *
screen_text(struct hwrite *w, const char *format, size_t count, const struct screen_hole *holes);

/* Returns a value as a text, a number plain (arena). */
const char *screen_value(struct hwrite *w, struct screen_hole hole);

/* Writes a value alone, a number for people (tr_number()), and one as an attribute: plain. */
void screen_put(struct hwrite *w, struct screen_hole hole);
void screen_attribute(struct hwrite *w, enum hwrite_attribute a, struct screen_hole hole);

/* Writes such a sentence about what was done or what is to be known, above the content. */
void screen_notice(struct hwrite *w, enum screen_tone tone, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Write the box of a notice around more than a sentence. */
void screen_notice_begin(struct hwrite *w, enum screen_tone tone);
void screen_notice_end(struct hwrite *w);

/* Writes such a sentence, which holds no data, with a link after it. */
void screen_notice_link(struct hwrite *w, enum screen_tone tone, const char *sentence,
    const char *address, const char *label);

/* Writes a word for a state ("Published"), within a line; or what is around it. */
void screen_state(struct hwrite *w, enum screen_tone tone, const char *word);
void screen_state_begin(struct hwrite *w, enum screen_tone tone);
void screen_state_end(struct hwrite *w);

/* Writes a picture, which says nothing to who hears the page: a word is beside it. */
void screen_icon(struct hwrite *w, enum screen_icon icon);

/* Writes a text of data within a line, isolated; NULL: nothing. */
void screen_data(struct hwrite *w, const char *text);

/* Writes <dt> and <dd>: a name of the interface, and a text of data; nothing for NULL or "". */
void screen_fact(struct hwrite *w, const char *name, const char *text);

/* Writes a link that looks like a button. */
void screen_button_link(struct hwrite *w, const char *address, const char *label, bool primary);

/* Writes one that looks like the button of an act which takes something away: it leads to the page
 * that asks before (page_ask()). */
void screen_question_link(struct hwrite *w, const char *address, const char *label);

/*
 * Writes a text that somebody copies, left to right, with a button that copies it, and writes that
 * button alone: what is copied is the code or field before it in the same element of class "copy".
 * `what` names it, for people who hear the page: "the key". The button is there with the script
 * alone, which screen_page() adds.
 */
void screen_copy(struct hwrite *w, const char *what, const char *text);
void screen_copy_button(struct hwrite *w, const char *what);

/* Writes the empty state of a list: a sentence, and what to do first (NULL: nothing). */
void screen_empty(struct hwrite *w, const char *sentence, const char *address, const char *label);

/* Writes the links of a list to what is newer and older; NULL: there is nothing. */
void screen_pages(struct hwrite *w, const char *newer, const char *older);

/*
 * A list as a table, which folds on a phone: there each cell is a line that begins with the
 * label of its column. The first cell of a row names it. <list>, <row> and <cell> of @ lines are
 *
 *	screen_list_begin(w, tr("Articles"), columns);
 *	for (…) {
 *		screen_list_row(w);
 *		screen_list_cell(w);
 *		…
 *		screen_list_cell_end(w);
 *		screen_list_row_end(w);
 *	}
 *	screen_list_end(w);
 *
 * A row with another number of cells than there are columns is a BUG, and so is a list in a list.
 */
struct screen_column {
	const char *label; /* English, tr_mark(); NULL ends the table */
	bool number; /* aligned at its end, with digits of one width */
	bool left_out; /* for screen_columns() */
};

void screen_list_begin(struct hwrite *w, const char *caption, const struct screen_column *columns);
void screen_list_row(struct hwrite *w);
void screen_list_cell(struct hwrite *w);
void screen_list_cell_end(struct hwrite *w);
void screen_list_row_end(struct hwrite *w);
void screen_list_end(struct hwrite *w);

/* Returns the columns that are not left out (arena). */
const struct screen_column *screen_columns(struct hwrite *w, const struct screen_column *columns);

/* Adds ?NAME=VALUE to an address, or &NAME=VALUE to one that has a query; the value may hold
 * anything. NULL adds nothing. */
void screen_address_add(struct buf *address, const char *name, const char *value);

#endif
