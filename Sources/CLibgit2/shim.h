#pragma once

#include <git2.h>
#include <git2/sys/index.h>
#include <git2/sys/repository.h>

// git_libgit2_opts is variadic, which Swift does not import; one function for each option that Martlet sets. The last is for its
// tests, which must not depend on the configuration of who runs them.

static inline int shim_set_extensions(const char **names, size_t count) {
  return git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, count);
}

static inline int shim_set_owner_validation(int enabled) {
  return git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, enabled);
}

static inline int shim_set_search_path(int level, const char *path) {
  return git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, path);
}
