/* What a GPU tells by structures or by a choice: its bus, memory, errors, clocks, load, fabric. */
#include "answer.h"

#include <stdio.h>
#include <string.h>

struct pci {
	char legacy[16];
	unsigned domain, bus, device, id, subsystem;
	char address[32];
};

struct memory {
	unsigned long long total, free, used;
};

struct memory2 {
	unsigned version;
	unsigned long long total, reserved, free, used;
};

struct sram {
	unsigned version;
	unsigned long long aggregate_parity, aggregate_sec_ded, aggregate_corrected, volatile_parity, volatile_sec_ded, volatile_corrected, buckets[5];
	unsigned threshold;
};

struct fabric {
	unsigned char cluster[16];
	int status;
	unsigned clique;
	unsigned char state;
};

struct fabric2 {
	unsigned version;
	unsigned char cluster[16];
	int status;
	unsigned clique;
	unsigned char state;
	unsigned health;
};

struct load {
	unsigned gpu, memory;
};

_Static_assert(sizeof(struct pci) == 68 && sizeof(struct memory2) == 40 && sizeof(struct sram) == 104 && sizeof(struct fabric2) == 36, "NVML's layouts");

EXPORT int nvmlDeviceGetPciInfo_v3(device_t device, struct pci *out)
{
	char address[32];
	int gpu = gpu_of(device), code = answer_text(gpu, "GetPciInfo", "pci", address, sizeof address);
	if (code != SUCCESS)
		return code;
	memset(out, 0, sizeof *out);
	if (sscanf(address, "%x:%x:%x", &out->domain, &out->bus, &out->device) != 3)
		return UNKNOWN;
	snprintf(out->legacy, sizeof out->legacy, "%04X:%02X:%02X.0", out->domain & 0xffff, out->bus & 0xff, out->device & 0x1f);
	snprintf(out->address, sizeof out->address, "%08X:%02X:%02X.0", out->domain, out->bus & 0xff, out->device & 0x1f);
	answer_unsigned(gpu, "GetPciInfo", "pci_id", &out->id);
	answer_unsigned(gpu, "GetPciInfo", "pci_subsystem", &out->subsystem);
	return SUCCESS;
}

EXPORT int nvmlDeviceGetMemoryInfo(device_t device, struct memory *out)
{
	int gpu = gpu_of(device), code = answer_number(gpu, "GetMemoryInfo", "memory", &out->total);
	if (code == SUCCESS)
		code = answer_number(gpu, "GetMemoryInfo", "memory_used", &out->used);
	out->free = out->total - out->used;
	return code;
}

EXPORT int nvmlDeviceGetMemoryInfo_v2(device_t device, struct memory2 *out)
{
	struct memory plain;
	if (out->version != (sizeof *out | 2U << 24))
		return ARGUMENT_VERSION_MISMATCH;
	int code = nvmlDeviceGetMemoryInfo(device, &plain);
	if (code == SUCCESS) {
		out->total = plain.total;
		out->reserved = 0;
		out->used = plain.used;
		out->free = plain.free;
	}
	return code;
}

EXPORT int nvmlDeviceGetTotalEccErrors(device_t device, unsigned kind, unsigned counter, unsigned long long *out)
{
	static const char *const keys[2][2] = {{"ecc_corrected_volatile", "ecc_corrected_aggregate"}, {"ecc_uncorrected_volatile", "ecc_uncorrected_aggregate"}};
	return kind > 1 || counter > 1 ? INVALID_ARGUMENT : answer_number(gpu_of(device), "GetTotalEccErrors", keys[kind][counter], out);
}

/* All errors of the scenario are the memory's own (location 2); other places count none. */
EXPORT int nvmlDeviceGetMemoryErrorCounter(device_t device, unsigned kind, unsigned counter, unsigned place, unsigned long long *out)
{
	int code = answer_code(gpu_of(device), "GetMemoryErrorCounter");
	if (code == SUCCESS)
		code = nvmlDeviceGetTotalEccErrors(device, kind, counter, out);
	if (code == SUCCESS && place != 2)
		*out = 0;
	return code;
}

EXPORT int nvmlDeviceGetSramEccErrorStatus(device_t device, struct sram *out)
{
	unsigned version = out->version;
	if (version != (sizeof *out | 1U << 24))
		return ARGUMENT_VERSION_MISMATCH;
	memset(out, 0, sizeof *out);
	out->version = version;
	int gpu = gpu_of(device), code = answer_number(gpu, "GetSramEccErrorStatus", "sram_uncorrected", &out->aggregate_parity);
	out->buckets[0] = out->aggregate_parity;
	return code == SUCCESS ? answer_unsigned(gpu, "GetSramEccErrorStatus", "sram_threshold", &out->threshold) : code;
}

EXPORT int nvmlDeviceGetRemappedRows(device_t device, unsigned *corrected, unsigned *uncorrected, unsigned *pending, unsigned *failed)
{
	static const char *const keys[] = {"rows_corrected", "rows_uncorrected", "rows_pending", "rows_failed"};
	unsigned *const outs[] = {corrected, uncorrected, pending, failed};
	int code = SUCCESS;
	for (int at = 0; at < 4 && code == SUCCESS; at++)
		code = answer_unsigned(gpu_of(device), "GetRemappedRows", keys[at], outs[at]);
	return code;
}

EXPORT int nvmlDeviceGetCurrentClocksEventReasons(device_t device, unsigned long long *out) { return answer_number(gpu_of(device), "GetCurrentClocksEventReasons", "throttle", out); }

EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(device_t device, unsigned long long *out) { return nvmlDeviceGetCurrentClocksEventReasons(device, out); }

static int clock_of(device_t device, const char *function, const char *prefix, unsigned type, unsigned *out)
{
	static const char *const names[] = {"graphics", "sm", "memory", "video"};
	char key[32];
	if (type > 3)
		return INVALID_ARGUMENT;
	snprintf(key, sizeof key, "%s_%s", prefix, names[type]);
	return answer_unsigned(gpu_of(device), function, key, out);
}

EXPORT int nvmlDeviceGetClockInfo(device_t device, unsigned type, unsigned *out) { return clock_of(device, "GetClockInfo", "clock", type, out); }

EXPORT int nvmlDeviceGetMaxClockInfo(device_t device, unsigned type, unsigned *out) { return clock_of(device, "GetMaxClockInfo", "clock_max", type, out); }

EXPORT int nvmlDeviceGetTemperature(device_t device, unsigned sensor, unsigned *out)
{
	return sensor ? INVALID_ARGUMENT : answer_unsigned(gpu_of(device), "GetTemperature", "temperature", out);
}

EXPORT int nvmlDeviceGetUtilizationRates(device_t device, struct load *out)
{
	int gpu = gpu_of(device), code = answer_unsigned(gpu, "GetUtilizationRates", "utilization", &out->gpu);
	return code == SUCCESS ? answer_unsigned(gpu, "GetUtilizationRates", "utilization_memory", &out->memory) : code;
}

/* Only their number is told; whoever wants more of them gets none. */
EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(device_t device, unsigned *count, void *out)
{
	unsigned running = 0;
	int code = answer_unsigned(gpu_of(device), "GetComputeRunningProcesses", "processes", &running);
	if (code != SUCCESS)
		return code;
	*count = out ? 0 : running;
	return running && !out ? INSUFFICIENT_SIZE : SUCCESS;
}

static int fabric_of(device_t device, const char *function, unsigned *state, unsigned *status)
{
	int code = answer_unsigned(gpu_of(device), function, "fabric_state", state);
	return code == SUCCESS ? answer_unsigned(gpu_of(device), function, "fabric_status", status) : code;
}

EXPORT int nvmlDeviceGetGpuFabricInfo(device_t device, struct fabric *out)
{
	unsigned state = 0, status = 0;
	int code = fabric_of(device, "GetGpuFabricInfo", &state, &status);
	memset(out, 0, sizeof *out);
	out->state = (unsigned char)state;
	out->status = (int)status;
	return code;
}

EXPORT int nvmlDeviceGetGpuFabricInfoV(device_t device, struct fabric2 *out)
{
	unsigned state = 0, status = 0, version = out->version;
	if (version != (sizeof *out | 2U << 24))
		return ARGUMENT_VERSION_MISMATCH;
	int code = fabric_of(device, "GetGpuFabricInfo", &state, &status);
	memset(out, 0, sizeof *out);
	out->version = version;
	out->state = (unsigned char)state;
	out->status = (int)status;
	return code;
}
