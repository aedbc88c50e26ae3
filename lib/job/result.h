#ifndef JOB_RESULT_H
#define JOB_RESULT_H
/*
 * From what a provider delivered to what the customer gets (docs/design.md §5). Reading
 * checks everything and changes nothing but the media folder; finishing is one
 * transaction: article, publication, media, settlement, the job's end.
 *
 * result.c		reading the whole, finishing
 * result-brief.c	the brief of a research job
 * result-image.c	the cover of an article
 */
#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "article/media.h"
#include "content/snapshot.h"
#include "job/job.h"
#include "job/try.h"

struct result {
	struct snapshot snapshot; /* of an article job */
	bool has_image;
	struct media media; /* then */
	const char *brief; /* of a research job: JSON object */
	const char *usage; /* JSON object */
	int64_t charge; /* credits */
};

/*
 * Reads the result of a try for `job` of workspace `w`. Refuses one that does
 * not fit: types, limits, an unknown citation; the sentence says what. A cover
 * that does not fit is no refusal: the article is delivered without. `keep`
 * false: only looks, the cover's file is not stored.
 */
MAY_REFUSE struct err *
result_read(struct ctx *c, const struct job *job, const struct workspace *w,
    const struct try *try, bool keep, struct result *out);

/*
 * Finishes the job, in a transaction of its own. Refuses an article that cannot
 * be stored (nothing changed then). *held is false when the job is not this
 * worker's any more: nothing changed, the result is void.
 */
MAY_REFUSE struct err *result_finish(
    struct ctx *c, struct job *job, struct result *result, bool *held);

/* Private to this floor. */
MAY_REFUSE struct err *result_brief(
    struct ctx *c, const struct job *job, json_t *result, const char **json);

/* The cover that a result names. */
struct result_cover {
	struct media media; /* as stored, or only its type and size */
	const char *alt;
	const char *caption; /* or NULL */
};

/* Reads the cover of `image`, the result's member (null for none), and with
 * `keep` stores its file. False, and a line in the log, when it does not fit. */
bool result_image(struct ctx *c, json_t *image, const struct scratch *scratch,
    bool keep, struct result_cover *out);

#endif
