/* A stand-in for NVIDIA's libnvidia-ml.so.1: the same symbols, arguments and layouts, answers from a scenario file.
 * It says what it is by the symbol assayLabStandIn, which NVIDIA's library doesn't have.
 *
 * Layouts and numbers follow NVML's published interface (API 13); the declarations are this project's own. */
#include "answer.h"

#include <stdio.h>

EXPORT int assayLabStandIn(void) { return 1; }

EXPORT const char *nvmlErrorString(int code) { return words_of(code); }

EXPORT int nvmlSystemGetDriverVersion(char *out, unsigned length) { return answer_text(SYSTEM, "GetDriverVersion", "driver", out, length); }

EXPORT int nvmlSystemGetNVMLVersion(char *out, unsigned length) { return answer_text(SYSTEM, "GetNVMLVersion", "nvml", out, length); }

EXPORT int nvmlSystemGetCudaDriverVersion_v2(int *out) { return answer_unsigned(SYSTEM, "GetCudaDriverVersion", "cuda", (unsigned *)out); }

EXPORT int nvmlSystemGetCudaDriverVersion(int *out) { return nvmlSystemGetCudaDriverVersion_v2(out); }

#define TEXT(function, key) \
	EXPORT int nvmlDevice##function(device_t device, char *out, unsigned length) { return answer_text(gpu_of(device), #function, key, out, length); }
#define NUMBER(function, key) \
	EXPORT int nvmlDevice##function(device_t device, unsigned *out) { return answer_unsigned(gpu_of(device), #function, key, out); }
#define PAIR(function, key, second) \
	EXPORT int nvmlDevice##function(device_t device, unsigned *now, unsigned *pending) \
	{ \
		int code = answer_unsigned(gpu_of(device), #function, key, now); \
		return code == SUCCESS ? answer_unsigned(gpu_of(device), #function, second, pending) : code; \
	}

TEXT(GetName, "name")
TEXT(GetUUID, "uuid")
TEXT(GetSerial, "serial")
TEXT(GetVbiosVersion, "vbios")
TEXT(GetBoardPartNumber, "part")
TEXT(GetInforomImageVersion, "inforom")
NUMBER(GetMinorNumber, "minor")
NUMBER(GetPersistenceMode, "persistence")
NUMBER(GetComputeMode, "compute_mode")
NUMBER(GetVirtualizationMode, "virtualization")
NUMBER(GetPowerUsage, "power")
NUMBER(GetEnforcedPowerLimit, "power_limit")
NUMBER(GetPowerManagementLimit, "power_limit")
NUMBER(GetPowerManagementDefaultLimit, "power_limit_default")
NUMBER(GetCurrPcieLinkGeneration, "pcie_generation")
NUMBER(GetMaxPcieLinkGeneration, "pcie_generation_max")
NUMBER(GetCurrPcieLinkWidth, "pcie_width")
NUMBER(GetMaxPcieLinkWidth, "pcie_width_max")
NUMBER(GetPcieReplayCounter, "pcie_replays")
NUMBER(GetRetiredPagesPendingStatus, "retired_pages_pending")
PAIR(GetEccMode, "ecc", "ecc_pending")
PAIR(GetMigMode, "mig", "mig_pending")

EXPORT int nvmlDeviceGetIndex(device_t device, unsigned *out)
{
	int gpu = gpu_of(device), code = answer_code(gpu, "GetIndex");
	if (code == SUCCESS)
		*out = (unsigned)gpu;
	return code;
}

EXPORT int nvmlDeviceGetCudaComputeCapability(device_t device, int *major, int *minor)
{
	char text[16];
	int code = answer_text(gpu_of(device), "GetCudaComputeCapability", "capability", text, sizeof text);
	return code != SUCCESS ? code : sscanf(text, "%d.%d", major, minor) == 2 ? SUCCESS : UNKNOWN;
}
