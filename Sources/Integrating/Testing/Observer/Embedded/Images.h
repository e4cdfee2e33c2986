// The program and the libraries that the dynamic linker has loaded: their memory, their symbols, and the functions that they
// call.

#pragma once
#include "System.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>

enum { MOST_IMAGES = 2048 };
#if defined(__x86_64__)
enum { ENTRY = R_X86_64_JUMP_SLOT, POINTER = R_X86_64_GLOB_DAT };
#else
enum { ENTRY = R_AARCH64_JUMP_SLOT, POINTER = R_AARCH64_GLOB_DAT };
#endif

/// What the linker has loaded, in the order in which it looks for symbols.
static struct link_map *images[MOST_IMAGES];
static int image_count;

static int lies_in(struct range range, uintptr_t address) { return address >= range.start && address < range.end; }

/// The memory of a library, as its header says.
static struct range range_of(const struct link_map *image) {
  const ElfW(Ehdr) *header = (const void *)image->l_addr;
  struct range range = {image->l_addr, image->l_addr};
  if (header == NULL || header->e_ident[0] != 0x7f || header->e_ident[1] != 'E') return range;
  const ElfW(Phdr) *parts = (const void *)(image->l_addr + header->e_phoff);
  for (int at = 0; at < header->e_phnum; at++) {
    uintptr_t end = image->l_addr + parts[at].p_vaddr + parts[at].p_memsz;
    if (parts[at].p_type == PT_LOAD && end > range.end) range.end = end;
  }
  return range;
}

/// The program or library that has an address; null for none.
static struct link_map *image_at(uintptr_t address) {
  for (int at = 0; at < image_count; at++)
    if (lies_in(range_of(images[at]), address)) return images[at];
  return NULL;
}

/// The tables of a program or library.
struct tables {
  const ElfW(Sym) *symbols;
  const char *names;
  const uint32_t *hashes;
  const ElfW(Rela) *pointers, *entries;
  size_t pointer_count, entry_count;
};

static struct tables tables_of(const struct link_map *image) {
  struct tables found = {0};
  for (const ElfW(Dyn) *part = image->l_ld; part != NULL && part->d_tag != DT_NULL; part++) {
    // The linker makes addresses of the distances, but not in the kernel's own library.
    ElfW(Addr) value = part->d_un.d_ptr;
    const void *place = (const void *)(value < image->l_addr ? value + image->l_addr : value);
    switch (part->d_tag) {
      case DT_SYMTAB: found.symbols = place; break;
      case DT_STRTAB: found.names = place; break;
      case DT_GNU_HASH: found.hashes = place; break;
      case DT_RELA: found.pointers = place; break;
      case DT_RELASZ: found.pointer_count = part->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_JMPREL: found.entries = place; break;
      case DT_PLTRELSZ: found.entry_count = part->d_un.d_val / sizeof(ElfW(Rela)); break;
    }
  }
  return found;
}

/// The symbol of a library by its name; see https://flapenguin.me/elf-dt-gnu-hash.
static void *symbol_in(const struct link_map *image, const char *name) {
  struct tables tables = tables_of(image);
  if (tables.hashes == NULL || tables.symbols == NULL || tables.names == NULL) return NULL;
  uint32_t hash = 5381;
  for (const char *letter = name; *letter != 0; letter++) hash = hash * 33 + (uint8_t)*letter;
  uint32_t buckets = tables.hashes[0], first = tables.hashes[1], blooms = tables.hashes[2];
  const uint32_t *bucket = (const void *)((const ElfW(Addr) *)(tables.hashes + 4) + blooms);
  const uint32_t *chain = bucket + buckets;
  if (buckets == 0) return NULL;
  for (uint32_t at = bucket[hash % buckets]; at >= first && at != 0; at++) {
    const ElfW(Sym) *symbol = tables.symbols + at;
    if ((chain[at - first] | 1) == (hash | 1) && is_equal(tables.names + symbol->st_name, name)
        && symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0)
      return (void *)(image->l_addr + symbol->st_value);
    if ((chain[at - first] & 1) != 0) break;
  }
  return NULL;
}

/// What the name stands for in the program, as the linker would find it; the package may have a function of that name.
static void *symbol_of(const char *name) {
  for (int at = 0; at < image_count; at++) {
    void *found = symbol_in(images[at], name);
    if (found != NULL) return found;
  }
  return NULL;
}

/// Whether a library was loaded from a file, by whatever name.
static int is_from(const struct link_map *image, const char *path) { return is_same(image->l_name, path); }

/// Puts a function into an entry of a table, which may have been made read-only.
static void put_entry(void **entry, void *function) {
  // The kernel writes eight bytes there, or says that it must not.
  if (ASK(rt_sigprocmask, 0, 0, entry, 8) == -EFAULT) {
    uintptr_t page = (uintptr_t)entry & ~(uintptr_t)4095;
    if (failed(ASK(mprotect, page, 4096, PROT_READ | PROT_WRITE))) return;
    *(void *volatile *)entry = function;
    ASK(mprotect, page, 4096, PROT_READ);
  } else {
    *(void *volatile *)entry = function;
  }
}

/// A function that a library calls, and what it is to call instead.
struct detour {
  const char *name;
  void *function;
};

/// The entry of a table that is for a function of another library, and the name of that; null for none.
static const char *called_by(struct tables tables, const ElfW(Rela) *row) {
  int kind = (int)ELF64_R_TYPE(row->r_info);
  if ((kind != ENTRY && kind != POINTER) || ELF64_R_SYM(row->r_info) == 0) return NULL;
  return tables.names + tables.symbols[ELF64_R_SYM(row->r_info)].st_name;
}

static void lead_away(
    const struct link_map *image, struct tables tables, const ElfW(Rela) *rows, size_t count,
    const struct detour *detours) {
  for (size_t at = 0; rows != NULL && at < count; at++) {
    const char *name = called_by(tables, rows + at);
    for (const struct detour *detour = detours; name != NULL && detour->name != NULL; detour++)
      if (is_equal(name, detour->name)) put_entry((void **)(image->l_addr + rows[at].r_offset), detour->function);
  }
}

static void follow(const struct link_map *image, const struct detour *detours) {
  struct tables tables = tables_of(image);
  if (tables.symbols == NULL || tables.names == NULL) return;
  lead_away(image, tables, tables.entries, tables.entry_count, detours);
  lead_away(image, tables, tables.pointers, tables.pointer_count, detours);
}

static int names(struct tables tables, const ElfW(Rela) *rows, size_t count, const char *name) {
  for (size_t at = 0; rows != NULL && at < count; at++) {
    const char *called = called_by(tables, rows + at);
    if (called != NULL && is_equal(called, name)) return 1;
  }
  return 0;
}

/// Whether a program or library calls a function of another one.
static int calls(const struct link_map *image, const char *name) {
  struct tables tables = tables_of(image);
  if (tables.symbols == NULL || tables.names == NULL) return 0;
  return names(tables, tables.entries, tables.entry_count, name)
      || names(tables, tables.pointers, tables.pointer_count, name);
}
