/* Preloaded: writes to files below FAIL_BELOW fail with the errno whose number stands in the file FAIL_WITH, as long as that is there, after half of their bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int fails(int fd) {
  char link[64], path[4096];
  const char *below = getenv("FAIL_BELOW"), *with = getenv("FAIL_WITH");
  int number = 0;
  if (below == NULL || with == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (strncmp(path, below, strlen(below)) != 0) return 0;
  FILE *file = fopen(with, "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%d", &number) != 1) number = 0;
  fclose(file);
  return number;
}

/* The first failing call writes half, the next ones nothing. */
static __thread int halved;

static ssize_t failing(int number, int fd, const void *bytes, size_t count, off_t at, int placed) {
  if (halved == 0 && count > 1) {
    halved = 1;
    ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite64");
    ssize_t (*plain)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    return placed ? real(fd, bytes, count / 2, at) : plain(fd, bytes, count / 2);
  }
  errno = number;
  return -1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  int number = fails(fd);
  if (number != 0) return failing(number, fd, bytes, count, 0, 0);
  halved = 0;
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  return real(fd, bytes, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) {
  int number = fails(fd);
  if (number != 0) return failing(number, fd, bytes, count, at, 1);
  halved = 0;
  ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite64");
  return real(fd, bytes, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

ssize_t writev(int fd, const struct iovec *pieces, int count) {
  int number = fails(fd);
  if (number != 0) return failing(number, fd, pieces[0].iov_base, pieces[0].iov_len, 0, 0);
  halved = 0;
  ssize_t (*real)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
  return real(fd, pieces, count);
}

ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off_t at) {
  int number = fails(fd);
  if (number != 0) return failing(number, fd, pieces[0].iov_base, pieces[0].iov_len, at, 1);
  halved = 0;
  ssize_t (*real)(int, const struct iovec *, int, off_t) = dlsym(RTLD_NEXT, "pwritev64");
  return real(fd, pieces, count, at);
}

ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t at) { return pwritev64(fd, pieces, count, at); }
