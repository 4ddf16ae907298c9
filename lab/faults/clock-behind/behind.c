// The time of day, 7 s late. Only clock_gettime is changed, by the system call that libc itself would make.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
	int result = (int)syscall(SYS_clock_gettime, clock, time);
	if (result == 0 && clock == CLOCK_REALTIME)
		time->tv_sec -= 7;
	return result;
}
