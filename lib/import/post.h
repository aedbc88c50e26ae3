#ifndef IMPORT_POST_H
#define IMPORT_POST_H
/*
 * A post of another program (WordPress, Ghost) into an article.
 *
 * post.c	a post as a document
 * post-write.c	into the store
 *
 * The article of a post is found again by the post's key. What the export said
 * last is remembered (article/origin.h): the same export again changes nothing,
 * and an article that was edited here meanwhile is left alone. So is one that
 * lies in the trash, and one that was published and taken back.
 */
#include "article/media.h"
#include "import/import.h"
#include "import/markdown/markdown.h"

struct post {
	const char *key;   /* "wordpress:https://example.com#12" */
	const char *title; /* HTML, or NULL */
	const char *slug;  /* as it was there, or NULL */
	const char *html;  /* of the body */
	unsigned line;     /* of its first byte in the file; 0: not known */
	const char *language; /* as it was there, or NULL */
	int64_t created_at, modified_at; /* microseconds; 0: not known */
	bool draft;
	const char *private;     /* why it was not for everyone ("it is
				    private"), or NULL */
	const char *address;     /* where it was, or NULL */
	const char *author_name; /* or NULL */
	const char *author_url;  /* or NULL */
	const char **tags;
	size_t tag_count;
	const char *section; /* or NULL */
	const char *excerpt; /* HTML, or NULL */
	const char *cover;   /* address, or NULL */
	const char *cover_alt, *cover_caption; /* or NULL */
	const char *meta_title, *meta_description, *canonical; /* or NULL */
	bool noindex;
};

struct post_options {
	bool publish;
	bool unfinished; /* also what has callouts of kind todo */
	bool force;
	bool dry;         /* nothing is written */
	const char *site; /* what relative addresses are relative to, or NULL */
	document_store *picture; /* every picture's address, as in
				    document_options.remote */
	struct post_media *media; /* given to it */
};

/* The pictures of one post: files are stored, rows come with the article. */
struct post_media {
	void *arg; /* of whoever gives `picture` */
	struct media *list;
	size_t count;
	bool over; /* there are more, which is told once */
};
enum { POST_MEDIA_MAX = 1000 };

/* Makes a document of it. Losses have the file's lines. */
MAY_REFUSE struct err *post_read(struct ctx *c, const struct post *post,
    const struct settings *settings, const struct post_options *options,
    struct losses *losses, struct notes *notes, struct document *out);

/*
 * Reads the post and writes it, as import_file() does for a file; c->arena is
 * the post's own. out->notes are what was lost, and what was not done.
 */
MAY_REFUSE struct err *post_import(struct ctx *c,
    const struct workspace *workspace, const struct post *post,
    const struct post_options *options, struct import_result *out);

#endif
