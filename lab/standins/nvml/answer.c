#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* Handles are addresses inside this; the number is the distance from its start. */
static char handles[MOST];
static int initialized;

EXPORT int nvmlInit_v2(void)
{
	if (!scenario_load())
		return DRIVER_NOT_LOADED;
	int code = scenario_code(SYSTEM, "Init");
	initialized = code == SUCCESS;
	return code;
}

EXPORT int nvmlInit(void) { return nvmlInit_v2(); }

EXPORT int nvmlShutdown(void)
{
	int code = initialized ? SUCCESS : UNINITIALIZED;
	initialized = 0;
	return code;
}

EXPORT int nvmlDeviceGetCount_v2(unsigned *out) { return answer_unsigned(SYSTEM, "GetCount", "count", out); }

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, device_t *out)
{
	unsigned count = 0;
	int code = answer_unsigned(SYSTEM, "GetCount", "count", &count);
	if (code != SUCCESS)
		return code;
	if (!out || index >= count || index >= MOST)
		return INVALID_ARGUMENT;
	code = scenario_code((int)index, "GetHandleByIndex");
	if (code == SUCCESS)
		*out = (device_t)(handles + index);
	return code;
}

int gpu_of(device_t device)
{
	char *place = (char *)device;
	return place >= handles && place < handles + MOST ? (int)(place - handles) : SYSTEM - 10;
}

int answer_code(int gpu, const char *function)
{
	if (!initialized)
		return UNINITIALIZED;
	if (gpu < SYSTEM)
		return INVALID_ARGUMENT;
	return scenario_code(gpu, function);
}

int answer_text(int gpu, const char *function, const char *key, char *out, unsigned length)
{
	int code = answer_code(gpu, function);
	const char *text = scenario_text(gpu, key);
	if (code != SUCCESS)
		return code;
	if (!text)
		return NOT_SUPPORTED;
	if (!out)
		return INVALID_ARGUMENT;
	if (strlen(text) >= length)
		return INSUFFICIENT_SIZE;
	memcpy(out, text, strlen(text) + 1);
	return SUCCESS;
}

int answer_number(int gpu, const char *function, const char *key, unsigned long long *out)
{
	int code = answer_code(gpu, function);
	const char *text = scenario_text(gpu, key);
	if (code != SUCCESS)
		return code;
	if (!text)
		return NOT_SUPPORTED;
	if (!out)
		return INVALID_ARGUMENT;
	*out = strtoull(text, NULL, 0);
	return SUCCESS;
}

int answer_unsigned(int gpu, const char *function, const char *key, unsigned *out)
{
	unsigned long long wide = 0;
	int code = answer_number(gpu, function, key, out ? &wide : NULL);
	if (code == SUCCESS)
		*out = (unsigned)wide;
	return code;
}
