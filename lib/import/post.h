#ifndef IMPORT_POST_H
#define IMPORT_POST_H
/*
 * Imports a post of another program (WordPress, Ghost) as an article.
 *
 * The post's key finds the article of a post again. What the export said last is remembered
 * (article/article-name.h): the same export again changes nothing. An article that was edited here
 * since then is not changed, nor is one in the trash, nor one that was published and taken
 * back.
 */
#include <stdint.h>

#include "article/media.h"
#include "import/document.h"
#include "import/import-pictures.h"
#include "import/import.h"
#include "import/losses.h"
#include "system/beneath.h"

struct post {
	const char *key; /* "wordpress:https://example.com#12" */
	const char *title; /* HTML, or NULL */
	const char *slug; /* as it was there, or NULL */
	const char *html; /* of the body */
	unsigned line; /* of its first byte in the file; 0: not known */
	const char *language; /* as it was there, or NULL */
	int64_t created_at, modified_at; /* microseconds; 0: not known */
	bool page; /* not of the sequence of posts: "About", "Contact" */
	bool draft;
	const char *private; /* why it was not for everyone ("it is
				    private"), or NULL */
	const char *address; /* where it was, or NULL */
	const char *author_name; /* or NULL */
	const char *author_url; /* or NULL */
	const char **tags;
	size_t tag_count;
	const char *section; /* or NULL */
	const char *excerpt; /* HTML, or NULL */
	const char *cover; /* address, or NULL */
	const char *cover_alt, *cover_caption; /* or NULL */
	const char *meta_title, *meta_description, *canonical; /* or NULL */
	bool noindex;
};

struct post_options {
	bool publish;
	bool pages; /* pages become articles, too */
	bool unfinished; /* also what has callouts of kind todo */
	bool force;
	bool dry; /* nothing is written */
	const char *site; /* what relative addresses are relative to, or NULL */
	document_store *picture; /* every picture's address, as in
				    document_options.remote */
	struct post_media *media; /* given to it */
};

/* The pictures of one post: files are stored, rows come with the article. */
struct post_media {
	void *arg; /* of the caller that gives `picture` */
	struct media *list;
	size_t count;
	bool over; /* there are more, which is told once */
	bool cut; /* the post is not written: it is done later */
};

/* Makes a document of the post. Losses name lines of the file. */
MAY_REFUSE struct err *post_read(struct ctx *c, const struct post *post,
    const struct settings *settings, const struct post_options *options, struct losses *losses,
    struct notes *notes, struct document *out);

/*
 * Reads the post and writes it, as import_files() does for files; c->arena is
 * the post's own. out->notes are what was lost, and what was not done.
 */
MAY_REFUSE struct err *post_import(struct ctx *c, const struct workspace *workspace,
    const struct post *post, const struct post_options *options, struct import_result *out);

/*
 * Decides what becomes of the pictures of posts from another program: they stay where they
 * are, are read from an unpacked uploads folder, or are fetched. With a folder and `fetch` those
 * are fetched that are not in the folder.
 *
 * Only pictures of the old site are looked for in the folder: by the part of
 * the address after "/uploads/" or "/content/images/", or by the whole path;
 * a smaller copy that WordPress made ("-300x200") by its original too.
 */
enum pictures_mode { PICTURES_KEEP, PICTURES_FOLDER, PICTURES_FETCH };

struct pictures {
	struct ctx *c;
	enum pictures_mode mode;
	struct beneath folder; /* of PICTURES_FOLDER: nothing outside of it is
				  read */
	const char *site; /* of the posts, or NULL */
	bool dry; /* nothing is stored or fetched */
	struct fetch *fetch; /* of PICTURES_FETCH, unless dry; or NULL */
	/* Is asked before the web is, or is NULL: false ends the post, which is done later. */
	bool (*may_ask)(void *arg);
	void *arg;
	int64_t *room; /* bytes that may be stored; NULL: all that come */
	size_t stored;
	size_t left; /* places of posts whose picture stays on its website */
	struct tally hosts; /* where pictures still live */
	struct tally failed; /* addresses of pictures that could not be read */
};

/* A document_store (arg: struct post_media, whose arg is the pictures). NULL:
 * the picture stays where it is. */
struct stored_image *pictures_find(void *arg, struct notes *notes, const char *address);

#endif
