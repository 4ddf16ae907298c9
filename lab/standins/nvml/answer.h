/* How a function of the library answers: from the scenario, after the error that it may have been told to give.
 *
 * EXPORT          a function that programs see
 * answer_*        one value of a GPU (or of SYSTEM) under a key, given to *out
 * gpu_of          the GPU's number from its handle
 */
#ifndef ASSAY_LAB_ANSWER_H
#define ASSAY_LAB_ANSWER_H

#include "codes.h"
#include "scenario.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct gpu *device_t;

int gpu_of(device_t device); /* below 0 when it is no handle of ours */
int answer_code(int gpu, const char *function);
int answer_text(int gpu, const char *function, const char *key, char *out, unsigned length);
int answer_number(int gpu, const char *function, const char *key, unsigned long long *out);
int answer_unsigned(int gpu, const char *function, const char *key, unsigned *out);

#endif
