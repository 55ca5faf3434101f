/* SPDX-License-Identifier: MIT */
/* The processors of this machine that the process may use. */
#ifndef SUPPORT_CPU_H
#define SUPPORT_CPU_H

/* How many; at least 1. Asked for once, at the first call. Thread safe. */
unsigned cpu_count(void);

/* How often a thread may look for a change before it sleeps: TURNS, or 1 when there is one processor only. Looking
 * pays only while another processor can make the change; on one, it keeps the thread that is waited for from
 * running. */
static inline unsigned cpu_spins(unsigned turns)
{
    return cpu_count() > 1 ? turns : 1;
}

#endif
