#include "console/choices.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "screen/tr.h"
#include "system/zone.h"

/* ---- languages */

struct language_name {
	const char *tag;
	const char *own; /* as its speakers write it */
	const char *english; /* for people who choose for others */
};

/* By their own names, one script after the other. */
static const struct language_name names[] = {
	{ "id", "Bahasa Indonesia", tr_mark("Indonesian") },
	{ "ms", "Bahasa Melayu", tr_mark("Malay") },
	{ "ca", "Català", tr_mark("Catalan") },
	{ "cs", "Čeština", tr_mark("Czech") },
	{ "da", "Dansk", tr_mark("Danish") },
	{ "de", "Deutsch", tr_mark("German") },
	{ "et", "Eesti", tr_mark("Estonian") },
	{ "en", "English", tr_mark("English") },
	{ "en-GB", "English (United Kingdom)", tr_mark("English (United Kingdom)") },
	{ "en-US", "English (United States)", tr_mark("English (United States)") },
	{ "es", "Español", tr_mark("Spanish") },
	{ "fr", "Français", tr_mark("French") },
	{ "hr", "Hrvatski", tr_mark("Croatian") },
	{ "it", "Italiano", tr_mark("Italian") },
	{ "sw", "Kiswahili", tr_mark("Swahili") },
	{ "lv", "Latviešu", tr_mark("Latvian") },
	{ "lt", "Lietuvių", tr_mark("Lithuanian") },
	{ "hu", "Magyar", tr_mark("Hungarian") },
	{ "nl", "Nederlands", tr_mark("Dutch") },
	{ "nb", "Norsk bokmål", tr_mark("Norwegian") },
	{ "pl", "Polski", tr_mark("Polish") },
	{ "pt", "Português", tr_mark("Portuguese") },
	{ "pt-BR", "Português (Brasil)", tr_mark("Portuguese (Brazil)") },
	{ "ro", "Română", tr_mark("Romanian") },
	{ "sk", "Slovenčina", tr_mark("Slovak") },
	{ "sl", "Slovenščina", tr_mark("Slovenian") },
	{ "fi", "Suomi", tr_mark("Finnish") },
	{ "sv", "Svenska", tr_mark("Swedish") },
	{ "vi", "Tiếng Việt", tr_mark("Vietnamese") },
	{ "tr", "Türkçe", tr_mark("Turkish") },
	{ "el", "Ελληνικά", tr_mark("Greek") },
	{ "bg", "Български", tr_mark("Bulgarian") },
	{ "ru", "Русский", tr_mark("Russian") },
	{ "sr", "Српски", tr_mark("Serbian") },
	{ "uk", "Українська", tr_mark("Ukrainian") },
	{ "he", "עברית", tr_mark("Hebrew") },
	{ "ur", "اردو", tr_mark("Urdu") },
	{ "ar", "العربية", tr_mark("Arabic") },
	{ "fa", "فارسی", tr_mark("Persian") },
	{ "hi", "हिन्दी", tr_mark("Hindi") },
	{ "bn", "বাংলা", tr_mark("Bengali") },
	{ "th", "ไทย", tr_mark("Thai") },
	{ "ja", "日本語", tr_mark("Japanese") },
	{ "ko", "한국어", tr_mark("Korean") },
	{ "zh", "中文（简体）", tr_mark("Chinese, simplified") },
	{ "zh-Hant", "中文（繁體）", tr_mark("Chinese, traditional") },
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static const struct language_name *
find(const char *tag, size_t len)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (strlen(names[i].tag) == len && strncasecmp(names[i].tag, tag, len) == 0)
			return &names[i];
	}
	return NULL;
}

/* Returns the name of the tag's language, whatever its region: the tag itself is in no list. */
static const struct language_name *
find_near(const char *tag)
{
	const struct lang_row *row = lang_table_row(tag);
	const struct language_name *found = NULL;

	if (row != NULL)
		found = find(row->tag, strlen(row->tag));
	return found != NULL ? found : find(tag, lang_table_primary(tag));
}

static const char *
label_of(struct ctx *c, const struct language_name *name)
{
	const char *there = tr(name->english);

	return strcmp(there, name->own) == 0 ? name->own
					     : arena_printf(c->arena, "%s – %s", name->own, there);
}

/* Of a tag that is in no list: "Deutsch – German (de-AT)", or the tag alone. */
static const char *
label_of_tag(struct ctx *c, const char *tag)
{
	const struct language_name *near = find_near(tag);

	return near == NULL ? tag : arena_printf(c->arena, "%s (%s)", label_of(c, near), tag);
}

const char *
choices_language_name(struct ctx *c, const char *tag)
{
	const struct language_name *name = find(tag, strlen(tag));

	return name != NULL ? label_of(c, name) : label_of_tag(c, tag);
}

void
choices_languages(struct ctx *c, struct form *f, const char *present)
{
	struct field_choice *out = arena_array(c->arena, NAMES + 3, sizeof(*out));
	size_t made = 0;

	if (present != NULL && find(present, strlen(present)) == NULL)
		out[made++] = (struct field_choice) { present, label_of_tag(c, present) };
	for (size_t i = 0; i < NAMES; i++)
		out[made++] = (struct field_choice) { names[i].tag, label_of(c, &names[i]) };
	out[made++] = (struct field_choice) { CHOICES_ANOTHER, tr("Another…") };
	out[made] = (struct field_choice) { NULL, NULL };
	form_choices(f, "language", out);
}

void
choices_write_language(struct hwrite *w, const struct form *f)
{
	form_write_field(w, f, "language");
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "another");
	form_write_field(w, f, "language-code");
	hwrite_close(w, H_DIV);
}

const char *
choices_language(const struct form *f, const char **name)
{
	const char *chosen = form_text(f, "language");

	*name = "language";
	if (chosen == NULL || strcmp(chosen, CHOICES_ANOTHER) != 0)
		return chosen;
	*name = "language-code";
	return form_text(f, *name);
}

static const void *
accepted(const char *tag, size_t len)
{
	char text[36];
	const struct language_name *found = find(tag, len);

	if (found != NULL || len == 0 || len >= sizeof(text))
		return found;
	memcpy(text, tag, len);
	text[len] = '\0';
	return find_near(text);
}

const char *
choices_accept(const char *header)
{
	const struct language_name *found = tr_wanted(header, accepted);

	return found != NULL ? found->tag : NULL;
}

/* ---- time zones */

const struct field_choice *
choices_zones(struct ctx *c)
{
	const char **zones = zone_names(c);
	struct field_choice *out;
	size_t count = 0;

	while (zones[count] != NULL)
		count++;
	out = arena_array(c->arena, count + 1, sizeof(*out));
	for (size_t i = 0; i < count; i++)
		out[i] = (struct field_choice) { zones[i], zones[i] };
	out[count] = (struct field_choice) { NULL, NULL };
	return out;
}
