// uname of another kernel: only the release is changed.
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

int uname(struct utsname *name) {
	int result = (int)syscall(SYS_uname, name);
	if (result == 0)
		strcpy(name->release, "5.15.0-97-generic");
	return result;
}
