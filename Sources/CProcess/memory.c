#define _GNU_SOURCE
#include "CProcess.h"

#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// Lets go of one library's pages; those that a segment could have been written to are left alone.
static int release(struct dl_phdr_info *library, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (size_t index = 0; index < library->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &library->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
    uintptr_t begin = library->dlpi_addr + segment->p_vaddr;
    // Whole pages within the segment: the ones at its ends may be shared with a segment that was written to.
    uintptr_t first = (begin + page - 1) & ~(page - 1);
    uintptr_t end = (begin + segment->p_filesz) & ~(page - 1);
    // Where the kernel refuses, the pages stay, which is as good as before.
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
  }
  return 0;
}

void cprocess_release_memory(void) {
  malloc_trim(0);
  dl_iterate_phdr(release, NULL);
}
