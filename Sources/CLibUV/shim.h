#pragma once
#include <uv.h>
// The system's own news of addresses and routes; Glibc's module leaves these headers out.
#include <linux/rtnetlink.h>

// uv_loop_configure has variable arguments.
static inline int contactsync_measure_idle_time(uv_loop_t *loop)
{
    return uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
}
