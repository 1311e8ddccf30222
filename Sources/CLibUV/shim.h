#pragma once
#include <uv.h>
// The system's own news of addresses and routes; Glibc's module leaves these headers out.
#include <linux/rtnetlink.h>
