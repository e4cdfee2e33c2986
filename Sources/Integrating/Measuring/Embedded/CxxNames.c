// Reads a mangled name of C++ per line and writes a line with the readable one for each, or the mangled one again.
//
// The names are those of the code under test, and a short one can stand for a text without end: so this is a program of its
// own, which can be contained and stopped.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Nobody reads a longer name.
enum { longest = 4096 };

int main(void) {
  // Not linked, so that compiling it needs no header and no library of C++; Swift's runtime stands on the same one.
  void *library = dlopen("libstdc++.so.6", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  char *(*demangle)(const char *, char *, size_t *, int *);
  *(void **)&demangle = dlsym(library, "__cxa_demangle");
  if (!demangle) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  while ((length = getline(&line, &size, stdin)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    // Ends the program in a name without end.
    alarm(10);
    int status = 0;
    char *name = demangle(line, NULL, NULL, &status);
    puts(name && strlen(name) <= longest && !strchr(name, '\n') ? name : line);
    // It is kept when the next one ends the program.
    fflush(stdout);
    free(name);
  }
  return 0;
}
