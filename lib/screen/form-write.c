/* Forms: their HTML. */
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "screen/form.h"
#include "screen/screen.h"
#include "screen/tr.h"

/* Returns "FORM-NAME", with "-PART" if there is one: the id of an element. */
static const char *
id_of(struct hwrite *w, const struct form *f, const struct field *field, const char *part)
{
	return arena_printf(w->out->arena, "%s-%s%s%s", f->id, field->name, part != NULL ? "-" : "",
	    part != NULL ? part : "");
}

/* Where a link to the field leads: of radio buttons, to the first. */
static const char *
target_of(struct hwrite *w, const struct form *f, const struct field *field)
{
	return id_of(w, f, field, field->kind == FIELD_RADIO ? "0" : NULL);
}

static bool
is_in_sight(const struct field *field)
{
	return field->kind != FIELD_HIDDEN && field->kind != FIELD_SUBMIT;
}

void
form_write_summary(struct hwrite *w, const struct form *f)
{
	const char *title = arena_printf(w->out->arena, "%s-errors", f->id);

	if (f->errors == 0)
		return;
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "summary");
	hwrite_attr(w, A_ROLE, "alert");
	hwrite_attr(w, A_ARIA_LABELLEDBY, title);
	hwrite_number(w, A_TABINDEX, -1);
	hwrite_flag(w, A_AUTOFOCUS, true);
	hwrite_open(w, H_H2);
	hwrite_attr(w, A_ID, title);
	hwrite_text(w, tr_count("Something is wrong", "Some things are wrong", (int64_t)f->errors));
	hwrite_close(w, H_H2);
	hwrite_open(w, H_UL);
	if (f->error != NULL)
		hwrite_element(w, H_LI, f->error);
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		const struct field *field = &f->fields[i];
		if (f->entry[i].error == NULL)
			continue;
		hwrite_open(w, H_LI);
		if (is_in_sight(field)) {
			hwrite_open(w, H_A);
			hwrite_address(
			    w, A_HREF, arena_printf(w->out->arena, "#%s", target_of(w, f, field)));
			hwrite_text(w, tr(field->label));
			hwrite_close(w, H_A);
			hwrite_text(w, " ");
		}
		hwrite_text(w, f->entry[i].error);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_DIV);
}

static void
write_hidden(struct hwrite *w, const char *name, const char *text, size_t len)
{
	hwrite_open(w, H_INPUT);
	hwrite_attr(w, A_TYPE, "hidden");
	hwrite_attr(w, A_NAME, name);
	hwrite_attr_n(w, A_VALUE, text, len);
}

void
form_write_begin(struct hwrite *w, const struct form *f, const struct form_head *head)
{
	hwrite_open(w, H_FORM);
	hwrite_attr(w, A_ID, f->id);
	if (f->closed) {
		hwrite_attr(w, A_CLASS, "form");
		return;
	}
	hwrite_attr(w, A_METHOD, head->search ? "get" : "post");
	hwrite_address(w, A_ACTION, head->action);
	if (!head->search)
		hwrite_attr(w, A_ENCTYPE, "multipart/form-data");
	hwrite_attr(w, A_CLASS, head->search ? "form search" : "form");
	hwrite_flag(w, A_NOVALIDATE, true);
	if (head->search && (head->token != NULL || head->number != NULL))
		BUG("the form %s would put its token into an address", f->id);
	if (head->token != NULL)
		write_hidden(w, "token", head->token, strlen(head->token));
	if (head->number != NULL)
		write_hidden(w, "number", head->number, strlen(head->number));
}

void
form_write_end(struct hwrite *w)
{
	hwrite_close(w, H_FORM);
}

/* ---- what fields have in common */

/* Says which sentences belong to a control. */
static void
write_described(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	const char *hint = id_of(w, f, field, "hint");
	const char *error = id_of(w, f, field, "error");

	if (field->hint != NULL && entry->error != NULL)
		hwrite_attr(
		    w, A_ARIA_DESCRIBEDBY, arena_printf(w->out->arena, "%s %s", hint, error));
	else if (field->hint != NULL || entry->error != NULL)
		hwrite_attr(w, A_ARIA_DESCRIBEDBY, field->hint != NULL ? hint : error);
	if (entry->error != NULL && field->kind != FIELD_RADIO)
		hwrite_attr(w, A_ARIA_INVALID, "true");
}

static void
write_sentences(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	if (field->hint != NULL) {
		hwrite_open(w, H_P);
		hwrite_attr(w, A_CLASS, "hint");
		hwrite_attr(w, A_ID, id_of(w, f, field, "hint"));
		hwrite_text(w, tr(field->hint));
		hwrite_close(w, H_P);
	}
	if (entry->error != NULL) {
		hwrite_open(w, H_P);
		hwrite_attr(w, A_CLASS, "error");
		hwrite_attr(w, A_ID, id_of(w, f, field, "error"));
		hwrite_text(w, entry->error);
		hwrite_close(w, H_P);
	}
}

/* Writes the text of a label, and that nothing need be given. */
static void
write_label_text(struct hwrite *w, const struct field *field)
{
	hwrite_text(w, tr(field->label));
	if (field->required || field->readonly || field->kind == FIELD_CHECKBOX)
		return;
	hwrite_text(w, " ");
	hwrite_open(w, H_SPAN);
	hwrite_attr(w, A_CLASS, "optional");
	hwrite_text(w, tr("optional"));
	hwrite_close(w, H_SPAN);
}

static void
write_label(struct hwrite *w, const struct form *f, const struct field *field)
{
	hwrite_open(w, H_LABEL);
	hwrite_attr(w, A_FOR, id_of(w, f, field, NULL));
	write_label_text(w, field);
	hwrite_close(w, H_LABEL);
}

static bool
is_left_to_right(const struct field *field)
{
	return field->kind == FIELD_EMAIL || field->kind == FIELD_PASSWORD ||
	       field->kind == FIELD_NUMBER;
}

/* Writes the attributes of a control behind its name. */
static void
write_control(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	const char *inputmode = field->inputmode;
	bool fixed;

	hwrite_attr(w, A_ID, id_of(w, f, field, NULL));
	hwrite_attr(w, A_NAME, field->name);
	hwrite_attr(w, A_AUTOCOMPLETE, field->autocomplete);
	if (inputmode == NULL && field->kind == FIELD_NUMBER && field->least >= 0)
		inputmode = "numeric";
	hwrite_attr(w, A_INPUTMODE, inputmode);
	if (field->dir != NULL)
		hwrite_attr(w, A_DIR, field->dir);
	else if (is_left_to_right(field))
		hwrite_attr(w, A_DIR, "ltr");
	else if (field->kind == FIELD_TEXT || field->kind == FIELD_AREA)
		hwrite_attr(w, A_DIR, "auto");
	if (is_left_to_right(field)) {
		hwrite_attr(w, A_AUTOCAPITALIZE, "none");
		hwrite_attr(w, A_SPELLCHECK, "false");
	}
	/* Of a select a browser demands an empty choice with it. */
	hwrite_flag(w, A_REQUIRED, field->required && field->kind != FIELD_SELECT);
	/* A select or a file cannot be read-only. */
	fixed = field->kind == FIELD_SELECT || field->kind == FIELD_FILE;
	hwrite_flag(w, A_READONLY, field->readonly && !fixed);
	hwrite_flag(w, A_DISABLED, field->readonly && fixed);
	write_described(w, f, field, entry);
}

/* ---- fields by kind */

static bool
has_suggestions(const struct field *field, const struct form_entry *entry)
{
	return field->kind == FIELD_TEXT && entry->choices != NULL && !field->readonly;
}

static void
write_suggestions(struct hwrite *w, const char *id, const struct field_choice *choices)
{
	hwrite_open(w, H_DATALIST);
	hwrite_attr(w, A_ID, id);
	for (; choices->value != NULL; choices++) {
		hwrite_open(w, H_OPTION);
		hwrite_attr(w, A_VALUE, choices->value);
		hwrite_close(w, H_OPTION);
	}
	hwrite_close(w, H_DATALIST);
}

static void
write_input(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	static const char *const types[] = { [FIELD_EMAIL] = "email",
		[FIELD_PASSWORD] = "password",
		[FIELD_DATE] = "date",
		[FIELD_TIME] = "time",
		[FIELD_FILE] = "file",
		[FIELD_SUBMIT] = NULL };
	const char *type = types[field->kind];
	const char *list = has_suggestions(field, entry) ? id_of(w, f, field, "list") : NULL;

	hwrite_open(w, H_INPUT);
	hwrite_attr(w, A_TYPE, type != NULL ? type : "text");
	write_control(w, f, field, entry);
	if (field->kind == FIELD_FILE)
		hwrite_attr(w, A_ACCEPT, field->accept);
	else if (field->kind != FIELD_PASSWORD)
		hwrite_attr_n(w, A_VALUE, entry->text, entry->len);
	hwrite_attr(w, A_LIST, list);
	if (list != NULL)
		write_suggestions(w, list, entry->choices);
}

static void
write_area(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	hwrite_open(w, H_TEXTAREA);
	hwrite_number(w, A_ROWS, field->rows > 0 ? field->rows : 6);
	write_control(w, f, field, entry);
	if (entry->text != NULL)
		hwrite_text_n(w, entry->text, entry->len);
	hwrite_close(w, H_TEXTAREA);
}

static const struct field_choice *
choices_of(const struct field *field, const struct form_entry *entry)
{
	const struct field_choice *choices =
	    entry->choices != NULL ? entry->choices : field->choices;

	if (choices == NULL)
		BUG("the field %s has no choices", field->name);
	return choices;
}

static const char *
choice_label(const struct form_entry *entry, const struct field_choice *choice)
{
	return entry->choices != NULL ? choice->label : tr(choice->label);
}

static bool
is_chosen(const struct form_entry *entry, const struct field_choice *choice)
{
	return strcmp(entry->text != NULL ? entry->text : "", choice->value) == 0;
}

static void
write_option(struct hwrite *w, const char *value, const char *label, bool chosen)
{
	hwrite_open(w, H_OPTION);
	hwrite_attr(w, A_VALUE, value);
	hwrite_flag(w, A_SELECTED, chosen);
	hwrite_text(w, label);
	hwrite_close(w, H_OPTION);
}

/* A value that is none of the choices is one more: else a browser would choose the first, and
 * saving would change what nobody changed. */
static void
write_select(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	bool known = entry->text == NULL;

	hwrite_open(w, H_SELECT);
	write_control(w, f, field, entry);
	for (const struct field_choice *choice = choices_of(field, entry); choice->value != NULL;
	     choice++) {
		bool chosen = is_chosen(entry, choice);
		known = known || chosen;
		write_option(w, choice->value, choice_label(entry, choice), chosen);
	}
	if (!known)
		write_option(w, entry->text, entry->text, true);
	hwrite_close(w, H_SELECT);
}

/* Writes a box or a button with its label behind it. */
static void
write_tick(struct hwrite *w, const char *id, const char *label)
{
	hwrite_open(w, H_LABEL);
	hwrite_attr(w, A_FOR, id);
	hwrite_text(w, label);
	hwrite_close(w, H_LABEL);
}

static void
write_radio(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	int number = 0;

	hwrite_open(w, H_FIELDSET);
	hwrite_attr(w, A_CLASS, entry->error != NULL ? "field wrong" : "field");
	write_described(w, f, field, entry);
	hwrite_open(w, H_LEGEND);
	write_label_text(w, field);
	hwrite_close(w, H_LEGEND);
	write_sentences(w, f, field, entry);
	for (const struct field_choice *choice = choices_of(field, entry); choice->value != NULL;
	     choice++) {
		const char *id = id_of(w, f, field, arena_printf(w->out->arena, "%d", number++));
		hwrite_open(w, H_DIV);
		hwrite_attr(w, A_CLASS, "tick");
		hwrite_open(w, H_INPUT);
		hwrite_attr(w, A_TYPE, "radio");
		hwrite_attr(w, A_ID, id);
		hwrite_attr(w, A_NAME, field->name);
		hwrite_attr(w, A_VALUE, choice->value);
		hwrite_flag(w, A_CHECKED, is_chosen(entry, choice));
		hwrite_flag(w, A_REQUIRED, field->required);
		hwrite_flag(w, A_DISABLED, field->readonly);
		write_tick(w, id, choice_label(entry, choice));
		hwrite_close(w, H_DIV);
	}
	hwrite_close(w, H_FIELDSET);
}

static void
write_checkbox(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, entry->error != NULL ? "field wrong" : "field");
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "tick");
	hwrite_open(w, H_INPUT);
	hwrite_attr(w, A_TYPE, "checkbox");
	hwrite_attr(w, A_ID, id_of(w, f, field, NULL));
	hwrite_attr(w, A_NAME, field->name);
	hwrite_attr(w, A_VALUE, "1");
	hwrite_flag(w, A_CHECKED, entry->on);
	hwrite_flag(w, A_REQUIRED, field->required);
	hwrite_flag(w, A_DISABLED, field->readonly);
	write_described(w, f, field, entry);
	write_tick(w, id_of(w, f, field, NULL), tr(field->label));
	hwrite_close(w, H_DIV);
	write_sentences(w, f, field, entry);
	hwrite_close(w, H_DIV);
}

static void
write_submit(struct hwrite *w, const struct field *field)
{
	static const char *const tones[] = { [FIELD_SECONDARY] = "button",
		[FIELD_PRIMARY] = "button primary",
		[FIELD_DANGER] = "button danger" };

	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "submit");
	hwrite_attr(w, A_NAME, field->name);
	hwrite_attr(w, A_VALUE, "1");
	hwrite_attr(w, A_CLASS, tones[field->tone]);
	hwrite_text(w, tr(field->label));
	hwrite_close(w, H_BUTTON);
}

static void
write_field(struct hwrite *w, const struct form *f, size_t i)
{
	struct field own = f->fields[i];
	const struct field *field = &own;
	const struct form_entry *entry = &f->entry[i];

	own.readonly = own.readonly || f->closed;
	switch (field->kind) {
	case FIELD_HIDDEN:
		write_hidden(w, field->name, entry->text, entry->len);
		return;
	case FIELD_SUBMIT:
		if (!f->closed)
			write_submit(w, field);
		return;
	case FIELD_CHECKBOX:
		write_checkbox(w, f, field, entry);
		return;
	case FIELD_RADIO:
		write_radio(w, f, field, entry);
		return;
	default:
		break;
	}
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, entry->error != NULL ? "field wrong" : "field");
	write_label(w, f, field);
	write_sentences(w, f, field, entry);
	if (field->copied) {
		hwrite_open(w, H_DIV);
		hwrite_attr(w, A_CLASS, "copy");
	}
	if (field->kind == FIELD_AREA)
		write_area(w, f, field, entry);
	else if (field->kind == FIELD_SELECT)
		write_select(w, f, field, entry);
	else
		write_input(w, f, field, entry);
	if (field->copied) {
		screen_copy_button(w, tr(field->label));
		hwrite_close(w, H_DIV);
	}
	hwrite_close(w, H_DIV);
}

void
form_write_field(struct hwrite *w, const struct form *f, const char *name)
{
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (strcmp(f->fields[i].name, name) == 0) {
			write_field(w, f, i);
			return;
		}
	}
	BUG("the form %s has no field %s", f->id, name);
}

void
form_write(struct hwrite *w, const struct form *f, const struct form_head *head)
{
	bool in_row = false;

	form_write_summary(w, f);
	form_write_begin(w, f, head);
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		bool button = f->fields[i].kind == FIELD_SUBMIT;
		if (button && !in_row) {
			hwrite_open(w, H_DIV);
			hwrite_attr(w, A_CLASS, "buttons");
		} else if (!button && in_row) {
			hwrite_close(w, H_DIV);
		}
		in_row = button;
		write_field(w, f, i);
	}
	if (in_row)
		hwrite_close(w, H_DIV);
	form_write_end(w);
}
