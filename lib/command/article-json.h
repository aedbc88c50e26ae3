#ifndef COMMAND_ARTICLE_JSON_H
#define COMMAND_ARTICLE_JSON_H
/* The state of an article as one JSON object, without its content: members are
 * named as the columns (design §6), `changed` tells of pending changes. */
#include "article/article.h"
#include "base/jwrite.h"

void article_json_write(struct jwrite *j, const struct article *a);

#endif
