#include "system/disk.h"

#include <stddef.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#define SPARED ((int64_t)1024 * 1024 * 1024)

static const struct {
	uint32_t magic; /* f_type of statfs(2) */
	const char *name;
} networks[] = {
	{ 0x6969, "NFS" },
	{ 0xFF534D42, "CIFS" },
	{ 0xFE534D42, "SMB" },
	{ 0x517B, "SMB" },
	{ 0x65735546, "FUSE" },
	{ 0x01021997, "9P" },
	{ 0x0BD00BD0, "Lustre" },
	{ 0x47504653, "GPFS" },
	{ 0x5346414F, "AFS" },
	{ 0x6B414653, "AFS" },
	{ 0x00C36400, "Ceph" },
	{ 0x01161970, "GFS2" },
	{ 0x7461636F, "OCFS2" },
};

const char *
disk_network(const char *path)
{
	struct statfs fs;

	if (statfs(path, &fs) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		if ((uint32_t)fs.f_type == networks[i].magic)
			return networks[i].name;
	}
	return NULL;
}

bool
disk_has_room(const char *path, int64_t bytes)
{
	struct statvfs fs;
	int64_t least, left;

	if (statvfs(path, &fs) != 0)
		return true;
	least = (int64_t)(fs.f_blocks / 20 * fs.f_frsize);
	if (least > SPARED)
		least = SPARED;
	left = (int64_t)(fs.f_bavail * fs.f_frsize);
	return left - bytes >= least;
}

int64_t
disk_free(const char *path)
{
	struct statvfs fs;

	if (statvfs(path, &fs) != 0)
		return -1;
	return (int64_t)(fs.f_bavail * fs.f_frsize);
}
