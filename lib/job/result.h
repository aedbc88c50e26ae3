#ifndef JOB_RESULT_H
#define JOB_RESULT_H
/*
 * Turns what a provider delivered into what the customer gets (docs/design.md §5).
 * result_read() checks everything and changes nothing except the media folder.
 * result_finish() is one transaction: article, publication, media, settlement and the
 * end of the job.
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/media.h"
#include "content/snapshot.h"
#include "job/job.h"
#include "job/try.h"

struct result {
	struct snapshot snapshot; /* set for an article job */
	bool has_image;
	struct media media; /* valid if has_image */
	const char *brief; /* JSON object of a research job */
	const char *usage; /* JSON object */
	int64_t charge; /* credits */
};

/*
 * Reads the result of a try for `job` of workspace `w`. Refuses a result with a wrong
 * type, beyond a limit or with an unknown citation; the sentence says which. A cover
 * that does not fit is no refusal: the article is delivered without it. With `keep`
 * false the function only checks and does not store the file of the cover.
 */
MAY_REFUSE struct err *result_read(struct ctx *c, const struct job *job, const struct workspace *w,
    const struct try *try, bool keep, struct result *out);

/*
 * Finishes the job in a transaction of its own. Refuses an article that cannot be
 * stored; nothing changed then. Sets *held to false if this worker does not hold the
 * job any more: nothing changed, and the result must be dropped.
 */
MAY_REFUSE struct err *
result_finish(struct ctx *c, struct job *job, struct result *result, bool *held);

#endif
