#include "system/program.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
usage_print(const char *text)
{
	fputs(text, stdout);
	exit(0);
}

void
usage_refuse(const char *text)
{
	fputs(text, stderr);
	exit(2);
}

void
usage_no_options(int argc, char **argv, const char *text)
{
	if (argc > 1 && strcmp(argv[1], "--help") == 0)
		usage_print(text);
	if (argc > 1)
		usage_refuse(text);
}

#define ALIGNED(n) (((size_t)(n) + 3) & ~(size_t)3)

/* Searches one segment of notes. Each note has a head, a name and bytes. */
static size_t
look_in(const char *notes, size_t size, unsigned char *out)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) note;
		size_t name, bytes;

		memcpy(&note, notes, sizeof(note));
		name = ALIGNED(note.n_namesz);
		bytes = ALIGNED(note.n_descsz);
		if (size - sizeof(note) < name || size - sizeof(note) - name < bytes)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp(notes + sizeof(note), "GNU", 4) == 0 && note.n_descsz <= BUILD_ID_MAX) {
			memcpy(out, notes + sizeof(note) + name, note.n_descsz);
			return note.n_descsz;
		}
		notes += sizeof(note) + name + bytes;
		size -= sizeof(note) + name + bytes;
	}
	return 0;
}

/* The head of this program in memory; the linker defines the symbol. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

size_t
build_id(unsigned char out[BUILD_ID_MAX])
{
	const char *file = (const char *)&__ehdr_start;
	const char *base = __ehdr_start.e_type == ET_DYN ? file : NULL;
	size_t found = 0;

	for (size_t i = 0; i < __ehdr_start.e_phnum && found == 0; i++) {
		ElfW(Phdr) segment;
		memcpy(
		    &segment, file + __ehdr_start.e_phoff + i * sizeof(segment), sizeof(segment));
		if (segment.p_type == PT_NOTE)
			found = look_in(base + segment.p_vaddr, segment.p_memsz, out);
	}
	return found;
}
