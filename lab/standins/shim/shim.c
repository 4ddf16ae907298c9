/* What this virtual machine's kernel can't answer as a GPU node's does, answered for the programs of one machine of the
 * lab (loaded into each by /etc/ld.so.preload): the limit of locked memory (raising it needs a capability that root may
 * lack here), whether the kernel's clock is kept right, and a clock of the machine's own (there is one for the whole
 * kernel). /etc/assay-lab/kernel.conf has the answers, read when a program starts:
 *
 *   memlock = unlimited          or bytes; without it the kernel's answer stands
 *   clock_synchronized = 1       what adjtimex says
 *   clock_offset_ms = 0          how far this machine's clock is from the kernel's
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static rlim_t memlock;
static int has_memlock, synchronized;
static long long offset_ns;

__attribute__((constructor)) static void read_answers(void)
{
	FILE *file = fopen("/etc/assay-lab/kernel.conf", "re");
	char line[256], key[64], value[64];
	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, " %63[a-z_] = %63s", key, value) != 2)
			continue;
		if (!strcmp(key, "memlock")) {
			has_memlock = 1;
			memlock = strcmp(value, "unlimited") ? strtoull(value, NULL, 10) : RLIM_INFINITY;
		} else if (!strcmp(key, "clock_synchronized")) {
			synchronized = atoi(value);
		} else if (!strcmp(key, "clock_offset_ms")) {
			offset_ns = atoll(value) * 1000000;
		}
	}
	if (file)
		fclose(file);
}

/* --- limits: rlimit and rlimit64 are one structure here --- */

int prlimit64(pid_t pid, __rlimit_resource_t resource, const struct rlimit64 *new, struct rlimit64 *old)
{
	int ours = has_memlock && resource == RLIMIT_MEMLOCK;
	if (ours && new) { /* raising it would be refused here; it stands as told */
		new = NULL;
		if (!old)
			return 0;
	}
	long result = syscall(SYS_prlimit64, pid, resource, new, old);
	if (result == 0 && ours && old)
		old->rlim_cur = old->rlim_max = memlock;
	return (int)result;
}

int prlimit(pid_t pid, __rlimit_resource_t resource, const struct rlimit *new, struct rlimit *old)
{
	return prlimit64(pid, resource, (const struct rlimit64 *)new, (struct rlimit64 *)old);
}

int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *limit) { return prlimit64(0, resource, NULL, limit); }

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit) { return prlimit(0, resource, NULL, limit); }

int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit) { return prlimit64(0, resource, limit, NULL); }

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) { return prlimit(0, resource, limit, NULL); }

/* --- clocks --- */

static void shift(struct timespec *time)
{
	long long ns = time->tv_sec * 1000000000LL + time->tv_nsec + offset_ns;
	time->tv_sec = ns / 1000000000;
	time->tv_nsec = ns % 1000000000;
}

/* The C library's own function is the quick one (it needs no system call), so it is what is asked. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);
	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int result = real(clock, time);
	if (result == 0 && offset_ns && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI))
		shift(time);
	return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	struct timespec now;
	(void)zone;
	int result = clock_gettime(CLOCK_REALTIME, &now);
	time->tv_sec = now.tv_sec;
	time->tv_usec = now.tv_nsec / 1000;
	return result;
}

time_t time(time_t *out)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}

int adjtimex(struct timex *state)
{
	int result = (int)syscall(SYS_adjtimex, state);
	if (result < 0 || !synchronized)
		return result;
	state->status &= ~STA_UNSYNC;
	state->maxerror = 1500;
	state->esterror = 40;
	return TIME_OK;
}

int ntp_adjtime(struct timex *state) { return adjtimex(state); }
