/* The characters of a key: how they are drawn, checked and shown (apikey.h). */
#include <string.h>

#include "access/apikey.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"

#define PREFIX_LENGTH (sizeof(APIKEY_PREFIX) - 1)
#define RANDOM_LENGTH 32
#define CHECK_LENGTH 6

static const char base62[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static bool
is_base62(char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z');
}

/* Returns the CRC-32 (ISO 3309), computed four bits at a time: for 40 bytes a
 * larger table is not worth its room. */
static uint32_t
crc32(const char *bytes, size_t len)
{
	static const uint32_t step[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
		0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8,
		0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };
	uint32_t crc = 0xFFFFFFFF;

	for (size_t i = 0; i < len; i++) {
		crc ^= (unsigned char)bytes[i];
		crc = crc >> 4 ^ step[crc & 15];
		crc = crc >> 4 ^ step[crc & 15];
	}
	return ~crc;
}

/* Writes the six characters that end a key. */
static void
checksum(const char *key, char out[CHECK_LENGTH])
{
	uint32_t crc = crc32(key, PREFIX_LENGTH + RANDOM_LENGTH);

	for (int i = CHECK_LENGTH - 1; i >= 0; i--, crc /= 62)
		out[i] = base62[crc % 62];
}

bool
apikey_is_whole(const char *key)
{
	char check[CHECK_LENGTH];

	if (strlen(key) != APIKEY_LENGTH || memcmp(key, APIKEY_PREFIX, PREFIX_LENGTH) != 0)
		return false;
	for (const char *p = key + PREFIX_LENGTH; *p != '\0'; p++) {
		if (!is_base62(*p))
			return false;
	}
	checksum(key, check);
	return memcmp(check, key + PREFIX_LENGTH + RANDOM_LENGTH, CHECK_LENGTH) == 0;
}

/* Draws 32 characters by rejection: all characters are equally likely. */
void
apikey_random(char key[APIKEY_LENGTH + 1])
{
	size_t n = PREFIX_LENGTH;
	unsigned char byte;

	memcpy(key, APIKEY_PREFIX, PREFIX_LENGTH);
	while (n < PREFIX_LENGTH + RANDOM_LENGTH) {
		uuid_random_bytes(&byte, 1);
		if (byte < 248)
			key[n++] = base62[byte % 62];
	}
	checksum(key, key + n);
	key[APIKEY_LENGTH] = '\0';
}

const char *
apikey_display(struct ctx *c, const char *key)
{
	size_t len = strlen(key);

	if (len < APIKEY_LENGTH)
		return arena_printf(c->arena, "%.8s…", key);
	return arena_printf(c->arena, "%.12s…%s", key, key + len - 4);
}
