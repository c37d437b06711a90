/* Every sync takes so many milliseconds more as SLOW_SYNC_MS says, like that of a slow disk. To be loaded before the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slow(const char *name, int file) {
  const char *ms = getenv("SLOW_SYNC_MS");
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (ms != NULL) usleep(1000 * atoi(ms));
  return sync(file);
}

int fsync(int file) { return slow("fsync", file); }
int fdatasync(int file) { return slow("fdatasync", file); }
