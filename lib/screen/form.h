#ifndef SCREEN_FORM_H
#define SCREEN_FORM_H
/*
 * Forms as tables. One row renders a field, reads what was sent, refuses it with a sentence,
 * and renders it again with what was typed and the sentence beside it.
 *
 *	static const struct field fields[] = {
 *		{ .name = "email", .label = tr_mark("E-mail"), .kind = FIELD_EMAIL,
 *		    .required = true, .autocomplete = "username" },
 *		{ .name = "password", .label = tr_mark("Password"),
 *		    .kind = FIELD_PASSWORD, .required = true,
 *		    .autocomplete = "current-password" },
 *		{ .name = "enter", .label = tr_mark("Sign in"), .kind = FIELD_SUBMIT,
 *		    .tone = FIELD_PRIMARY },
 *		{ .name = NULL }
 *	};
 *
 *	form_init(&form, "sign-in", fields);
 *	if (!posted || !form_read(c, &form, values, count) ||
 *	    !sign_in(c, form_text(&form, "email"), form_text(&form, "password"), &form))
 *		form_write(w, &form, &(struct form_head){ .action = "/console/sign-in" });
 *
 * A form is refused as a whole: form_read() looks at every field, so one answer names all
 * that is wrong. A refusal that an action gives later goes beside its field, too
 * (form_refuse()). Passwords are never written into a page.
 *
 * A form does not check in the browser (novalidate): all refusals look alike, and are in the
 * language of the interface.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "screen/hwrite.h"

struct ctx;

enum field_kind {
	FIELD_TEXT, /* one line */
	FIELD_EMAIL, /* one line: an address, in NFC */
	FIELD_PASSWORD, /* as typed */
	FIELD_AREA, /* lines, which end with \n however they were sent */
	FIELD_SELECT, /* one of the choices */
	FIELD_RADIO, /* one of the choices, all in sight */
	FIELD_CHECKBOX, /* on or off */
	FIELD_NUMBER, /* a whole number, least to most */
	FIELD_DATE, /* YYYY-MM-DD; the number is its midnight in UTC */
	FIELD_TIME, /* HH:MM; the number is the minutes since midnight */
	FIELD_FILE, /* a file part: console_file() has its bytes; it is never filled */
	FIELD_HIDDEN, /* sent back as it is */
	FIELD_SUBMIT /* a button; on if it was pressed */
};

/* How a button looks. */
enum field_tone { FIELD_SECONDARY, FIELD_PRIMARY, FIELD_DANGER };

/* A choice of a select or of radio buttons. */
struct field_choice {
	const char *value; /* NULL ends the table */
	const char *label; /* English, tr_mark(); of form_choices(): as it is */
};

/* Looks at a value that was given and is valid text. Returns NULL, or a sentence that says
 * what is wrong, which lives as long as the request. */
typedef const char *field_check(struct ctx *c, const char *value);

#define FIELD_MAX ((size_t)1000)

struct field {
	const char *name; /* a-z, digits, hyphens; NULL ends the table */
	const char *label; /* English, tr_mark(); NULL of FIELD_HIDDEN */
	enum field_kind kind;
	size_t max; /* bytes of a text; 0: FIELD_MAX */
	bool required; /* a checkbox: must be on */
	bool readonly; /* shown; what was sent for it is not read */
	bool copied; /* has a button that copies it (screen.h) */
	const char *missing; /* the sentence if it is required and empty; NULL: a standard one */
	const char *hint; /* a sentence below the label, or NULL */
	const char *autocomplete, *inputmode; /* HTML's words, or NULL */
	const char *accept; /* of FIELD_FILE: the types that a browser offers, or NULL */
	const char *dir; /* "ltr", "auto"; NULL: ltr where the kind asks for it, else auto */
	int rows; /* of FIELD_AREA; 0: 6. A FIELD_TEXT with rows is shown as an area, and is one
		     line all the same: each end of a line becomes a space */
	const struct field_choice *choices;
	int64_t least, most; /* of FIELD_NUMBER */
	field_check *check; /* or NULL */
	enum field_tone tone; /* of FIELD_SUBMIT */
};

/* What a client sent for a name: bytes, followed by a NUL that `len` does not count. */
struct form_value {
	const char *name;
	const char *text;
	size_t len;
};

struct form_entry {
	const char *text; /* the value, or what was typed if `error`; NULL: none */
	size_t len;
	int64_t number; /* of FIELD_NUMBER, FIELD_DATE and FIELD_TIME, with a text and no error */
	bool on; /* of FIELD_CHECKBOX and FIELD_SUBMIT */
	const char *error; /* a sentence, or NULL */
	bool taken_out; /* form_take_out() changed the text */
	const struct field_choice *choices; /* instead of the table's, or NULL */
};

#define FORM_FIELDS_MAX 48

struct form {
	const char *id; /* begins the ids of its elements: one on a page */
	const struct field *fields;
	struct form_entry entry[FORM_FIELDS_MAX]; /* by the index of the field */
	const char *error; /* of no field, or NULL */
	size_t errors; /* all of them */
	bool
	    closed; /* shows what is stored, to be read: fields are read-only, there is no button */
};

/* What a form sends itself with. */
struct form_head {
	const char *action; /* an address on this origin */
	const char *token; /* of the session (docs/console.md §3.6), or NULL */
	const char *number; /* of the form (docs/console.md §3.7), or NULL */
	bool search; /* asks by GET: has neither of them */
};

/* Begins a form without values. The table must outlive it. */
void form_init(struct form *f, const char *id, const struct field *fields);

/* Give a field what is stored; a name that is not in the table is a BUG, here and below. */
void form_fill(struct form *f, const char *name, const char *text);
void form_tick(struct form *f, const char *name, bool on);
/* Gives a select or radio buttons choices that are data; a line of text gets them as suggestions,
 * which a browser offers and nobody must take: their labels are not shown. */
void form_choices(struct form *f, const char *name, const struct field_choice *choices);

/*
 * Reads what was sent, in place of what was filled in: `count` values in any order. A name
 * that the table has not is passed over. Returns false if anything is refused: each entry then
 * holds what was typed, and those that are wrong an error. What was not sent is not given; an
 * empty text, too. Lives as long as the values and the arena.
 */
bool form_read(struct ctx *c, struct form *f, const struct form_value *values, size_t count);

/* Takes out of a value what cannot be kept, in place: a page would show something else in its
 * place (screen/hwrite.h), which the next press would store. Returns a sentence that says so, or
 * NULL. form_read() does it for each field that is not a password. */
const char *form_take_out(char *text, size_t *len, bool one_line);

/* Refuses a field, or the form (`name` NULL), with a sentence that outlives the form. */
void form_refuse(struct form *f, const char *name, const char *sentence);

/* Return a value: NULL, 0 or false if it was not given. */
const char *form_text(const struct form *f, const char *name);
int64_t form_number(const struct form *f, const char *name);
bool form_is_on(const struct form *f, const char *name);

/* Writes the whole form: the summary of its errors, then its fields in their order. Buttons
 * that follow each other are in one row. */
void form_write(struct hwrite *w, const struct form *f, const struct form_head *head);

/* Write its parts, for a screen that puts something between the fields. */
void form_write_begin(struct hwrite *w, const struct form *f, const struct form_head *head);
void form_write_field(struct hwrite *w, const struct form *f, const char *name);

/* Writes what all fields hold, buttons apart, and shows nothing: for a page that asks before a form
 * is done. */
void form_write_hidden(struct hwrite *w, const struct form *f);
void form_write_end(struct hwrite *w);

/* Writes the errors with links to their fields, and takes the focus; nothing if there are
 * none. It goes above the form, where the reader begins. */
void form_write_summary(struct hwrite *w, const struct form *f);

#endif
