#include "codes.h"

#include <string.h>

static const struct {
	int code;
	const char *name, *words;
} codes[] = {
	{0, "SUCCESS", "Success"},
	{1, "UNINITIALIZED", "Uninitialized"},
	{2, "INVALID_ARGUMENT", "Invalid Argument"},
	{3, "NOT_SUPPORTED", "Not Supported"},
	{4, "NO_PERMISSION", "Insufficient Permissions"},
	{6, "NOT_FOUND", "Not Found"},
	{7, "INSUFFICIENT_SIZE", "Insufficient Size"},
	{8, "INSUFFICIENT_POWER", "Insufficient External Power"},
	{9, "DRIVER_NOT_LOADED", "Driver Not Loaded"},
	{10, "TIMEOUT", "Timeout"},
	{11, "IRQ_ISSUE", "Interrupt Request Issue"},
	{13, "FUNCTION_NOT_FOUND", "Function Not Found"},
	{14, "CORRUPTED_INFOROM", "Corrupted infoROM"},
	{15, "GPU_IS_LOST", "GPU is lost"},
	{16, "RESET_REQUIRED", "GPU requires reset"},
	{17, "OPERATING_SYSTEM", "Operating system call failed"},
	{18, "LIB_RM_VERSION_MISMATCH", "Driver/library version mismatch"},
	{21, "NO_DATA", "No data"},
	{25, "ARGUMENT_VERSION_MISMATCH", "Argument version mismatch"},
	{27, "NOT_READY", "Not Ready"},
	{999, "UNKNOWN", "Unknown Error"},
};

enum { COUNT = sizeof codes / sizeof *codes };

int code_of(const char *name)
{
	for (int at = 0; at < COUNT; at++)
		if (!strcmp(codes[at].name, name))
			return codes[at].code;
	return UNKNOWN;
}

const char *words_of(int code)
{
	for (int at = 0; at < COUNT; at++)
		if (codes[at].code == code)
			return codes[at].words;
	return "Unknown Error";
}
