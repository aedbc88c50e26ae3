#ifndef WEB_FORWARDED_H
#define WEB_FORWARDED_H
/* Requests of strangers that came through somebody else's proxy (access/address-limit.h). */
#include <stdbool.h>

#include "web/req.h"

/* Returns whether the request says that it was forwarded (Forwarded, X-Forwarded-For, Via) to a
 * peer that is none of trusted_proxies: then many people may have its address, or nobody else. */
bool forwarded_unknown(const struct req *r);

#endif
