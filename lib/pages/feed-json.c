#include <string.h>

#include "base/jwrite.h"
#include "content/snapshot.h"
#include "export/facts.h"
#include "pages/feed.h"

static void
write_authors(struct jwrite *w, const struct facts *facts)
{
	jwrite_member_array(w, "authors");
	jwrite_object(w);
	jwrite_member_text(w, "name", facts->author);
	jwrite_member_text_if(w, "url", facts->author_url);
	jwrite_object_end(w);
	jwrite_array_end(w);
}

static void
write_tags(struct jwrite *w, const struct snapshot *s)
{
	if (s->section == NULL && s->tag_count == 0)
		return;
	jwrite_member_array(w, "tags");
	if (s->section != NULL)
		jwrite_text(w, s->section);
	for (size_t i = 0; i < s->tag_count; i++) {
		if (s->section == NULL || strcmp(s->tags[i], s->section) != 0)
			jwrite_text(w, s->tags[i]);
	}
	jwrite_array_end(w);
}

static void
write_item(struct jwrite *w, const struct feed_entry *e)
{
	const struct facts *facts = e->facts;

	jwrite_object(w);
	jwrite_member_text(w, "id", e->id);
	jwrite_member_text(w, "url", e->address);
	jwrite_member_text(w, "title", facts->heading);
	jwrite_member_text(w, "content_html", e->html);
	jwrite_member_text_if(w, "summary", facts->description);
	jwrite_member_text_if(w, "image", facts->image.url);
	jwrite_member_text(w, "date_published", facts->published_time);
	jwrite_member_text(w, "date_modified", facts->modified_time);
	write_authors(w, facts);
	write_tags(w, facts->snapshot);
	jwrite_member_text(w, "language", facts->language);
	jwrite_object_end(w);
}

void
feed_json(const struct feed *f, struct buf *out)
{
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(&w, "version", "https://jsonfeed.org/version/1.1");
	jwrite_member_text(&w, "title", f->title);
	jwrite_member_text(&w, "home_page_url", f->home);
	jwrite_member_text(&w, "feed_url", f->json);
	jwrite_member_text(&w, "language", f->language);
	jwrite_member_array(&w, "items");
	for (size_t i = 0; i < f->count; i++)
		write_item(&w, &f->entries[i]);
	jwrite_array_end(&w);
	jwrite_object_end(&w);
	buf_add_char(out, '\n');
}
