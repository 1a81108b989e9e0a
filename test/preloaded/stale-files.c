/* Preloaded: files below STALE_BELOW are as those of a server that went away. The file STALE_STATE has two numbers: how often it went away, and 1 while it is away.
   All that is asked of them meanwhile fails with ESTALE, and for ever what is asked of those that were open before. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 65536
/* For each descriptor: 0 when it is another file, else 1 and how often the server had gone away when it was opened. */
static int opened[MOST];
static __thread int inside;

static int state(int *away) {
  char text[64];
  int times = 0;
  *away = 0;
  const char *path = getenv("STALE_STATE");
  int file = path == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = syscall(SYS_pread64, file, text, sizeof text - 1, 0);
  syscall(SYS_close, file);
  text[length > 0 ? length : 0] = 0;
  sscanf(text, "%d %d", &times, away);
  return times;
}

static int is_below(const char *path) {
  const char *below = getenv("STALE_BELOW");
  return below != NULL && path != NULL && strncmp(path, below, strlen(below)) == 0;
}

static int is_stale(int fd) {
  int away;
  if (fd < 0 || fd >= MOST || opened[fd] == 0) return 0;
  return opened[fd] - 1 < state(&away) || away;
}

static int is_away(const char *path) {
  int away;
  if (!is_below(path)) return 0;
  state(&away);
  return away;
}

static int failed(void) {
  errno = ESTALE;
  return -1;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  int away, fd, times;
  if (is_away(path)) return failed();
  times = state(&away);
  fd = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (fd >= 0 && fd < MOST) opened[fd] = is_below(path) ? times + 1 : 0;
  return fd;
}

#define MODE \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) { MODE return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_at(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return open_at(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return open_at(folder, path, flags, mode); }

int close(int fd) {
  if (fd >= 0 && fd < MOST) opened[fd] = 0;
  return (int)syscall(SYS_close, fd);
}

#define READ(name, parameters, call) \
  ssize_t name parameters { \
    if (is_stale(fd)) return failed(); \
    return call; \
  }

READ(read, (int fd, void *bytes, size_t count), syscall(SYS_read, fd, bytes, count))
READ(pread64, (int fd, void *bytes, size_t count, off_t at), syscall(SYS_pread64, fd, bytes, count, at))
READ(readv, (int fd, const struct iovec *pieces, int count), syscall(SYS_readv, fd, pieces, count))
READ(preadv, (int fd, const struct iovec *pieces, int count, off_t at), syscall(SYS_preadv, fd, pieces, count, at, (long)0))

/* The runtime asks for the state of files so. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  if (real == NULL) real = dlsym(RTLD_NEXT, "syscall");
  if (number == SYS_statx && !inside) {
    const char *path = (const char *)a[1];
    inside = 1;
    int stale = path == NULL || path[0] == 0 ? is_stale((int)a[0]) : is_away(path);
    inside = 0;
    if (stale) return failed();
  }
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
