#include "command/libraries.h"

#include <argon2.h>
#include <cmark-gfm.h>
#include <expat.h>
#include <jansson.h>
#include <qrencode.h>
#include <string.h>
#include <utf8proc.h>
#include <yaml.h>
#include <zlib.h>

#include "libraries.gen.h"
#include "store/db.h"

void
libraries_list(struct library out[LIBRARIES])
{
	const struct library all[LIBRARIES] = {
		{ "SQLite", db_library() },
		{ "jansson", jansson_version_str() },
		{ "libb2", LIBRARY_libb2 },
		{ "utf8proc", utf8proc_version() },
		{ "argon2", ARGON2_VERSION_NUMBER == ARGON2_VERSION_13 ? "1.3" : "1.0" },
		{ "nettle", LIBRARY_nettle },
		{ "qrencode", QRcode_APIVersionString() },
		{ "libyaml", yaml_get_version_string() },
		{ "cmark-gfm", cmark_version_string() },
		{ "gumbo", LIBRARY_gumbo },
		{ "expat", XML_ExpatVersion() + strlen("expat_") },
		{ "zlib", zlibVersion() },
	};

	memcpy(out, all, sizeof(all));
}
