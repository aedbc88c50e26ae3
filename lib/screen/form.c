#include "screen/form.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "screen/screen.h"
#include "screen/tr.h"

/* ---- what was filled in */

void
form_init(struct form *f, const char *id, const struct field *fields)
{
	memset(f, 0, sizeof(*f));
	f->id = id;
	f->fields = fields;
	for (size_t i = 0; fields[i].name != NULL; i++) {
		if (i == FORM_FIELDS_MAX)
			BUG("the form %s has too many fields", id);
	}
}

static size_t
index_of(const struct form *f, const char *name)
{
	size_t i = 0;

	while (f->fields[i].name != NULL && strcmp(f->fields[i].name, name) != 0)
		i++;
	if (f->fields[i].name == NULL)
		BUG("the form %s has no field %s", f->id, name);
	return i;
}

void
form_fill(struct form *f, const char *name, const char *text)
{
	struct form_entry *entry = &f->entry[index_of(f, name)];

	entry->text = text;
	entry->len = text != NULL ? strlen(text) : 0;
}

void
form_tick(struct form *f, const char *name, bool on)
{
	f->entry[index_of(f, name)].on = on;
}

void
form_choices(struct form *f, const char *name, const struct field_choice *choices)
{
	f->entry[index_of(f, name)].choices = choices;
}

const char *
form_text(const struct form *f, const char *name)
{
	return f->entry[index_of(f, name)].text;
}

int64_t
form_number(const struct form *f, const char *name)
{
	return f->entry[index_of(f, name)].number;
}

bool
form_is_on(const struct form *f, const char *name)
{
	return f->entry[index_of(f, name)].on;
}

/* Counts an error once for each place. */
static void
set_error(struct form *f, const char **place, const char *sentence)
{
	if (sentence == NULL)
		return;
	if (*place == NULL)
		f->errors++;
	*place = sentence;
}

void
form_refuse(struct form *f, const char *name, const char *sentence)
{
	set_error(f, name != NULL ? &f->entry[index_of(f, name)].error : &f->error, sentence);
}

/* ---- what was sent */

static bool
is_one_line(enum field_kind kind)
{
	return kind != FIELD_AREA && kind != FIELD_HIDDEN && kind != FIELD_PASSWORD;
}

/* Takes out of a value the bytes that are no text. Returns whether there were any. */
static bool
drop_bytes(char *text, size_t len)
{
	size_t to = 0;

	if (utf8_valid(text, len))
		return false;
	for (size_t i = 0; i < len;) {
		size_t sequence = text[i] == '\0' ? 0 : utf8_sequence(text + i);
		memmove(text + to, text + i, sequence);
		to += sequence;
		i += sequence > 0 ? sequence : 1;
	}
	text[to] = '\0';
	return true;
}

const char *
form_take_out(char *text, size_t *len, bool one_line)
{
	bool bytes = drop_bytes(text, *len);
	bool characters = utf8_drop_forbidden(text, one_line);

	*len = strlen(text);
	if (bytes)
		return tr(
		    "This held bytes that are not text (UTF-8). They were taken out: look at what is left, then send it again.");
	return !characters
		   ? NULL
		   : tr("This held characters that cannot be kept: control characters, or ones that turn the direction of text. They were taken out: look at what is left, then send it again.");
}

/* Takes the value as it is typed: without spaces around one line, with \n at the end of
 * lines, and with a space for each end in an area that is one line. An empty one is no value.
 * Returns what is wrong with it, or NULL. */
static const char *
take(struct ctx *c, const struct field *field, const char *text, size_t len, struct form_entry *out)
{
	const char *error = NULL;
	const char *spaces = field->rows > 0 ? " \t\r\n" : " \t";
	bool joined = is_one_line(field->kind) && field->rows > 0;
	char *copy;
	size_t n = 0;

	if (is_one_line(field->kind)) {
		for (; len > 0 && text[0] != '\0' && strchr(spaces, text[0]) != NULL; len--)
			text++;
		while (len > 0 && text[len - 1] != '\0' && strchr(spaces, text[len - 1]) != NULL)
			len--;
	}
	copy = arena_text_n(c->arena, text, len);
	for (size_t i = 0; i < len; i++) {
		bool end = (field->kind == FIELD_AREA || joined) && text[i] == '\r';
		if (end && i + 1 < len && text[i + 1] == '\n')
			continue;
		copy[n++] = joined && (end || text[i] == '\n') ? ' ' : end ? '\n' : text[i];
	}
	copy[n] = '\0';
	/* Of a password, which is hashed and never shown, nothing is taken out. */
	if (field->kind != FIELD_PASSWORD)
		error = form_take_out(copy, &n, is_one_line(field->kind));
	out->taken_out = error != NULL;
	out->text = n > 0 ? copy : NULL;
	out->len = n;
	return error;
}

static const char *
check_text(struct ctx *c, const struct field *field, const struct form_entry *entry)
{
	size_t max = field->max > 0 ? field->max : FIELD_MAX;

	if (entry->len > max)
		return arena_printf(c->arena,
		    tr("This is too long: it has %zu bytes, and may have %zu."), entry->len, max);
	return utf8_valid(entry->text, entry->len)
		   ? NULL
		   : tr("This holds bytes that are not text (UTF-8).");
}

/* A plain address: words joined by dots, an @, and a host of two parts or more. */
static const char *
check_email(const char *text)
{
	const char *wrong = tr("This is not an e-mail address. Example: dana@example.com");
	const char *at = strchr(text, '@'), *p = text;
	bool in_word = false, dot = false;

	if (at == NULL || strlen(text) > 254)
		return wrong;
	while (*p != '\0') {
		const char *here = p;
		uint32_t cp = utf8_next(&p);
		if (cp == '.' || here == at) {
			if (!in_word)
				return wrong;
			dot = dot || here > at;
			in_word = false;
			continue;
		}
		if (cp >= 0x80 ? !lang_is_word(cp)
			       : !((cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') ||
				     (cp >= '0' && cp <= '9') || cp == '-' ||
				     (here < at && strchr("!#$%&'*+/=?^_`{|}~", (int)cp) != NULL)))
			return wrong;
		in_word = true;
	}
	return in_word && dot ? NULL : wrong;
}

static const char *
check_number(struct ctx *c, const struct field *field, struct form_entry *entry)
{
	const char *digits = entry->text + (entry->text[0] == '-');
	size_t len = strlen(digits);

	entry->number = 0;
	if (len > 0 && len < 19 && strspn(digits, "0123456789") == len) {
		entry->number = strtoll(entry->text, NULL, 10);
		if (entry->number >= field->least && entry->number <= field->most)
			return NULL;
	}
	return arena_printf(c->arena, tr("This must be a whole number from %s to %s."),
	    tr_number(c->arena, field->least), tr_number(c->arena, field->most));
}

static const char *
check_choice(const struct field *field, const struct form_entry *entry)
{
	const struct field_choice *choice =
	    entry->choices != NULL ? entry->choices : field->choices;

	for (; choice != NULL && choice->value != NULL; choice++) {
		if (strcmp(choice->value, entry->text) == 0)
			return NULL;
	}
	return tr("This is not one of the choices.");
}

/* Takes "09:05"; of "09:05:00", which a browser may send, the seconds are passed over. */
static const char *
check_time(struct form_entry *entry)
{
	int digits[4];
	const char *p = entry->text;

	for (int i = 0; i < 4; i++) {
		if (i == 2 && *p++ != ':')
			return tr("This is not a time. Example: 09:30");
		if (*p < '0' || *p > '9')
			return tr("This is not a time. Example: 09:30");
		digits[i] = *p++ - '0';
	}
	entry->number = 60 * (10 * digits[0] + digits[1]) + 10 * digits[2] + digits[3];
	if ((*p != '\0' && *p != ':') || digits[2] > 5 || entry->number >= 24 * 60)
		return tr("This is not a time. Example: 09:30");
	return NULL;
}

/* Returns what is wrong with a value that is given, or NULL. */
static const char *
check(struct ctx *c, const struct field *field, struct form_entry *entry)
{
	const char *error = check_text(c, field, entry);

	if (error == NULL && field->kind == FIELD_EMAIL) {
		entry->text = lang_nfc(c->arena, entry->text);
		entry->len = strlen(entry->text);
		error = check_email(entry->text);
	} else if (error == NULL && field->kind == FIELD_NUMBER) {
		error = check_number(c, field, entry);
	} else if (error == NULL && field->kind == FIELD_DATE) {
		if (!clock_parse_date(entry->text, &entry->number))
			error = tr("This is not a date. Example: 2026-09-01");
	} else if (error == NULL && field->kind == FIELD_TIME) {
		error = check_time(entry);
	} else if (error == NULL && (field->kind == FIELD_SELECT || field->kind == FIELD_RADIO)) {
		error = check_choice(field, entry);
	}
	if (error == NULL && field->check != NULL)
		error = field->check(c, entry->text);
	return error;
}

static const char *
missing(const struct field *field)
{
	if (field->missing != NULL)
		return tr(field->missing);
	switch (field->kind) {
	case FIELD_SELECT:
	case FIELD_RADIO:
		return tr("Choose one of these.");
	case FIELD_CHECKBOX:
		return tr("This must be ticked.");
	default:
		return tr("This must be filled in.");
	}
}

/* Reads one field from all values. A browser sends a name once; twice is refused. */
static const char *
read_field(struct ctx *c, const struct field *field, struct form_entry *entry,
    const struct form_value *values, size_t count)
{
	const struct form_value *sent = NULL;
	const char *error = NULL;

	entry->text = NULL;
	entry->len = 0;
	entry->number = 0;
	entry->on = entry->taken_out = false;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(values[i].name, field->name) != 0)
			continue;
		if (sent != NULL)
			return tr("This was sent twice.");
		sent = &values[i];
	}
	/* Its bytes are apart from the texts; the screen looks at them. */
	if (field->kind == FIELD_FILE)
		return NULL;
	if (field->kind == FIELD_CHECKBOX || field->kind == FIELD_SUBMIT)
		entry->on = sent != NULL;
	else if (sent != NULL)
		error = take(c, field, sent->text, sent->len, entry);
	if (error != NULL)
		return error;
	if (entry->text != NULL)
		return check(c, field, entry);
	return field->required && !entry->on ? missing(field) : NULL;
}

bool
form_read(struct ctx *c, struct form *f, const struct form_value *values, size_t count)
{
	f->errors = 0;
	f->error = NULL;
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		f->entry[i].error = NULL;
		if (!f->fields[i].readonly)
			set_error(f, &f->entry[i].error,
			    read_field(c, &f->fields[i], &f->entry[i], values, count));
	}
	return f->errors == 0;
}

/* ---- the HTML of a form */

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
form_write_hidden(struct hwrite *w, const struct form *f)
{
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		const struct form_entry *entry = &f->entry[i];
		const bool is_tick = f->fields[i].kind == FIELD_CHECKBOX;
		if (f->fields[i].kind == FIELD_SUBMIT ||
		    (is_tick ? !entry->on : entry->text == NULL))
			continue;
		if (is_tick)
			write_hidden(w, f->fields[i].name, "1", 1);
		else
			write_hidden(w, f->fields[i].name, entry->text, entry->len);
	}
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
write_sentence(struct hwrite *w, const struct form *f, const struct field *field, const char *class,
    const char *sentence)
{
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, class);
	hwrite_attr(w, A_ID, id_of(w, f, field, class));
	hwrite_text(w, sentence);
	hwrite_close(w, H_P);
}

/* What is wrong is above the control, what helps is below it. */
static void
write_error(struct hwrite *w, const struct form *f, const struct field *field,
    const struct form_entry *entry)
{
	if (entry->error != NULL)
		write_sentence(w, f, field, "error", entry->error);
}

static void
write_hint(struct hwrite *w, const struct form *f, const struct field *field)
{
	if (field->hint != NULL)
		write_sentence(w, f, field, "hint", tr(field->hint));
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

/* Writes the attributes of a control after its name. */
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
	/* A title that grows with its lines: the label is heard, and seen while it is empty. */
	if (field->kind == FIELD_TEXT && field->rows == 1)
		hwrite_attr(w, A_PLACEHOLDER, tr(field->label));
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

/* Writes a box or a button with its label after it. */
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
	write_hint(w, f, field);
	write_error(w, f, field, entry);
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
	write_error(w, f, field, entry);
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
	write_hint(w, f, field);
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
	write_error(w, f, field, entry);
	if (field->copied) {
		hwrite_open(w, H_DIV);
		hwrite_attr(w, A_CLASS, "copy");
	}
	if (field->kind == FIELD_AREA || (field->kind == FIELD_TEXT && field->rows > 0))
		write_area(w, f, field, entry);
	else if (field->kind == FIELD_SELECT)
		write_select(w, f, field, entry);
	else
		write_input(w, f, field, entry);
	if (field->copied) {
		screen_copy_button(w, tr(field->label));
		hwrite_close(w, H_DIV);
	}
	write_hint(w, f, field);
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
