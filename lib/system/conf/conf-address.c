#include "system/conf/conf-address.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS
#define ADDRESS_MAX 1000 /* bytes */
#define LABEL_MAX 63
#define HOST_MAX 253
#define PORT_MAX 65535

bool
conf_address_is_of(const char *key)
{
	return strcmp(key, "public_url") == 0 || strcmp(key, "console_url") == 0 ||
	       strcmp(key, "pages_url") == 0;
}

/* Returns what is wrong with an IPv6 address, without its brackets, or NULL. */
static const char *
wrong_ipv6(const char *text)
{
	struct in6_addr address;

	return inet_pton(AF_INET6, text, &address) == 1
		   ? NULL
		   : "what is in the brackets [ ] is no IPv6 address";
}

static const char *
wrong_label(const char *label, size_t len)
{
	if (len == 0)
		return "its host has an empty part: there is a dot too many";
	if (len > LABEL_MAX)
		return "a part of its host has more than 63 letters";
	if (label[0] == '-' || label[len - 1] == '-')
		return "a part of its host begins or ends with -";
	return NULL;
}

/* Returns what is wrong with a host name or an IPv4 address, or NULL. */
static const char *
wrong_name(const char *host)
{
	const char *label = host, *wrong;
	struct in_addr address;
	size_t len;

	if (host[strspn(host, LETTERS "-_.")] != '\0')
		return "its host holds something that is no letter from a to z, no digit, and none of - _ . (of a name with other letters write the form that begins with xn--)";
	if (strlen(host) > HOST_MAX)
		return "its host has more than 253 letters";
	for (;; label += len + 1) {
		len = strcspn(label, ".");
		wrong = wrong_label(label, len);
		if (wrong != NULL)
			return wrong;
		if (label[len] == '\0')
			break;
	}
	/* Browsers read a host whose last part is a number as an IPv4 address. */
	if (label[strspn(label, DIGITS)] == '\0' && inet_pton(AF_INET, host, &address) != 1)
		return "its host is a number and no IPv4 address";
	return NULL;
}

/* Returns what is wrong with what is behind the colon, or NULL. */
static const char *
wrong_port(const char *port)
{
	size_t len = strspn(port, DIGITS);
	long number = 0;

	for (size_t i = 0; i < len && i < 6; i++)
		number = number * 10 + (port[i] - '0');
	return len > 0 && len < 6 && port[len] == '\0' && port[0] != '0' && number <= PORT_MAX
		   ? NULL
		   : "its port must be a number from 1 to 65535";
}

/* Returns what is wrong with host and port, or NULL. */
static const char *
wrong_authority(struct ctx *c, const char *text)
{
	const char *end = strchr(text, ']'), *wrong;
	size_t len;

	if (strchr(text, '@') != NULL)
		return "it must hold no user name and no password, so no @";
	if (text[0] == '[' && end == NULL)
		return "there is no ] behind the [ of its host";
	if (text[0] == '[') {
		wrong = wrong_ipv6(arena_text_n(c->arena, text + 1, (size_t)(end - text) - 1));
		len = (size_t)(end - text) + 1;
	} else {
		len = strcspn(text, ":");
		wrong = len > 0 ? wrong_name(arena_text_n(c->arena, text, len)) : "it has no host";
	}
	if (wrong != NULL || text[len] == '\0')
		return wrong;
	return text[len] == ':' ? wrong_port(text + len + 1)
				: "what follows the ] of its host is no port";
}

static bool
is_hex(char ch)
{
	return ch != '\0' && strchr(DIGITS "abcdefABCDEF", ch) != NULL;
}

/* Returns what is wrong with the path, or NULL. */
static const char *
wrong_path(const char *path)
{
	size_t len = strlen(path), size;

	if (path[strspn(path, LETTERS "-_.~!$&'()*+=:@%/")] != '\0')
		return "its path holds something that must be written with % and two hex digits";
	for (const char *p = strchr(path, '%'); p != NULL; p = strchr(p + 1, '%')) {
		if (!is_hex(p[1]) || !is_hex(p[2]))
			return "a % of its path is not followed by two hex digits";
	}
	/* Slashes at the end are left out. */
	while (len > 0 && path[len - 1] == '/')
		len--;
	for (const char *part = path; part < path + len; part += size) {
		part++;
		size = strcspn(part, "/");
		if (size == 0 || (size <= 2 && strspn(part, ".") >= size))
			return "its path has an empty part, or one that is . or ..";
	}
	return NULL;
}

static const char *
wrong_address(struct ctx *c, const char *value)
{
	const char *text = strncmp(value, "https://", 8) == 0  ? value + 8
			   : strncmp(value, "http://", 7) == 0 ? value + 7
							       : NULL;
	const char *wrong;
	size_t len;

	if (text == NULL)
		return "it must begin with https:// or http://";
	if (strlen(value) > ADDRESS_MAX)
		return "it has more than 1,000 bytes";
	if (strpbrk(value, "?#") != NULL)
		return "it must hold no query, so no ? and no #";
	len = strcspn(text, "/");
	wrong = wrong_authority(c, arena_text_n(c->arena, text, len));
	return wrong != NULL ? wrong : wrong_path(text + len);
}

struct err *
conf_address_check(struct ctx *c, const char *key, const char *value)
{
	const char *wrong = value[0] != '\0' ? wrong_address(c, value) : NULL;

	return wrong == NULL
		   ? NULL
		   : refuse(c, ERR_INTERNAL, "%s cannot be this address: %s.", key, wrong);
}
