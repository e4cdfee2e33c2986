#pragma once

#include <git2.h>
#include <git2/sys/index.h>
#include <git2/sys/repository.h>
