/* NVML's return codes by number, name and words. */
#ifndef ASSAY_LAB_CODES_H
#define ASSAY_LAB_CODES_H

enum {
	SUCCESS = 0,
	UNINITIALIZED = 1,
	INVALID_ARGUMENT = 2,
	NOT_SUPPORTED = 3,
	INSUFFICIENT_SIZE = 7,
	DRIVER_NOT_LOADED = 9,
	ARGUMENT_VERSION_MISMATCH = 25,
	UNKNOWN = 999,
};

int code_of(const char *name); /* UNKNOWN for a name that there is none of */
const char *words_of(int code);

#endif
