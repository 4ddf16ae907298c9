/* NVLink: so many links, all up at one version but for those that `nvlink_down` lists (say 3,7). Errors are counted on
 * the first link. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>

static int link_code(device_t device, const char *function, unsigned link)
{
	unsigned links = 0;
	int code = answer_unsigned(gpu_of(device), function, "nvlinks", &links);
	return code != SUCCESS ? code : link < links ? SUCCESS : INVALID_ARGUMENT;
}

static int listed(const char *list, unsigned link)
{
	while (list && *list) {
		char *end;
		if (strtoul(list, &end, 10) == link && end != list)
			return 1;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return 0;
}

EXPORT int nvmlDeviceGetNvLinkState(device_t device, unsigned link, unsigned *out)
{
	int code = link_code(device, "GetNvLinkState", link);
	if (code == SUCCESS)
		*out = !listed(scenario_text(gpu_of(device), "nvlink_down"), link);
	return code;
}

EXPORT int nvmlDeviceGetNvLinkVersion(device_t device, unsigned link, unsigned *out)
{
	int code = link_code(device, "GetNvLinkVersion", link);
	return code == SUCCESS ? answer_unsigned(gpu_of(device), "GetNvLinkVersion", "nvlink_version", out) : code;
}

EXPORT int nvmlDeviceGetNvLinkErrorCounter(device_t device, unsigned link, unsigned counter, unsigned long long *out)
{
	static const char *const keys[] = {"nvlink_replays", "nvlink_recoveries", "nvlink_crc_flit", "nvlink_crc_data", "nvlink_ecc"};
	int code = link_code(device, "GetNvLinkErrorCounter", link);
	if (code == SUCCESS && counter > 4)
		return INVALID_ARGUMENT;
	if (code == SUCCESS)
		code = answer_number(gpu_of(device), "GetNvLinkErrorCounter", keys[counter], out);
	if (code == SUCCESS && link > 0)
		*out = 0;
	return code;
}
