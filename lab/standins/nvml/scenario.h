/* The scenario file that the stand-in answers from: what each GPU is and does.
 *
 *   [all]                      holds for every GPU and for the system
 *   name = NVIDIA H100 80GB HBM3
 *   [gpu 3]                    overrides for one GPU
 *   error.GetPowerUsage = NO_PERMISSION     that function's answer (its name without nvmlDevice or nvmlSystem)
 *   error.* = GPU_IS_LOST                   every function's; `hang` never answers
 *
 * A key that is in neither section is not supported by that GPU.
 *
 * scenario_load    reads the file (ASSAY_LAB_GPUS or /etc/assay-lab/gpus.conf)
 * scenario_text    a key's value for a GPU (or for SYSTEM), or NULL
 * scenario_code    the error that a function was told to answer, 0 if none; does not return on `hang`
 */
#ifndef ASSAY_LAB_SCENARIO_H
#define ASSAY_LAB_SCENARIO_H

enum { SYSTEM = -1, ALL = -2 };

int scenario_load(void);
const char *scenario_text(int gpu, const char *key);
int scenario_code(int gpu, const char *function);

#endif
