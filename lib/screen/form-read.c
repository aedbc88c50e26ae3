/* Forms: what was filled in, and what was sent. */
#include "screen/form.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "screen/tr.h"

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
		    "This held bytes that are no text (UTF-8). They were taken out: look at what is left, then send it again.");
	return !characters
		   ? NULL
		   : tr("This held characters that cannot be kept: control characters, or ones that turn the direction of text. They were taken out: look at what is left, then send it again.");
}

/* Takes the value as it is typed: without spaces around one line, with \n at the end of
 * lines. An empty one is none. Returns what is wrong with it, or NULL. */
static const char *
take(struct ctx *c, const struct field *field, const char *text, size_t len, struct form_entry *out)
{
	const char *error = NULL;
	char *copy;
	size_t n = 0;

	if (is_one_line(field->kind)) {
		for (; len > 0 && (text[0] == ' ' || text[0] == '\t'); len--)
			text++;
		while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
			len--;
	}
	copy = arena_text_n(c->arena, text, len);
	for (size_t i = 0; i < len; i++) {
		bool end = field->kind == FIELD_AREA && text[i] == '\r';
		if (!end || i + 1 == len || text[i + 1] != '\n')
			copy[n++] = end ? '\n' : text[i];
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
		   : tr("This holds bytes that are no text (UTF-8).");
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
	return arena_printf(c->arena, tr("This must be a whole number from %lld to %lld."),
	    (long long)field->least, (long long)field->most);
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
	return tr("This is none of the choices.");
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
