#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codes.h"

struct entry {
	int gpu;
	char key[64];
	char value[192];
};

static struct entry *entries;
static int count;

static char *trim(char *text)
{
	text += strspn(text, " \t");
	char *end = text + strlen(text);
	while (end > text && strchr(" \t\r\n", end[-1]))
		*--end = 0;
	return text;
}

static void add(int gpu, const char *key, const char *value)
{
	struct entry *more = realloc(entries, (count + 1) * sizeof *entries);
	if (!more)
		return;
	entries = more;
	entries[count].gpu = gpu;
	snprintf(entries[count].key, sizeof entries->key, "%s", key);
	snprintf(entries[count].value, sizeof entries->value, "%s", value);
	count++;
}

int scenario_load(void)
{
	const char *path = getenv("ASSAY_LAB_GPUS");
	FILE *file = fopen(path ? path : "/etc/assay-lab/gpus.conf", "re");
	if (!file)
		return 0;
	char line[512];
	int gpu = ALL;
	count = 0;
	while (fgets(line, sizeof line, file)) {
		char *text = trim(line), *equals = strchr(text, '=');
		if (*text == '#' || !*text)
			continue;
		if (*text == '[') {
			if (sscanf(text, "[gpu %d]", &gpu) != 1)
				gpu = ALL;
		} else if (equals) {
			*equals = 0;
			add(gpu, trim(text), trim(equals + 1));
		}
	}
	fclose(file);
	return 1;
}

static const char *find(int gpu, const char *key)
{
	for (int at = 0; at < count; at++)
		if (entries[at].gpu == gpu && !strcmp(entries[at].key, key))
			return entries[at].value;
	return NULL;
}

const char *scenario_text(int gpu, const char *key)
{
	const char *own = gpu >= 0 ? find(gpu, key) : NULL;
	return own ? own : find(ALL, key);
}

int scenario_code(int gpu, const char *function)
{
	char key[96];
	snprintf(key, sizeof key, "error.%s", function);
	const char *word = scenario_text(gpu, key);
	if (!word)
		word = scenario_text(gpu, "error.*");
	if (!word)
		return 0;
	while (!strcmp(word, "hang"))
		pause();
	return code_of(word);
}
