/* SPDX-License-Identifier: MIT */
/* The processors of this machine that the process may use. */
#ifndef SUPPORT_CPU_H
#define SUPPORT_CPU_H

/* How many there are; at least 1. The system is asked once, at the first call. Thread safe. */
unsigned cpu_count(void);

/* How often a thread should look for a change before it sleeps: TURNS, or 1 if there is only one processor. Looking
 * pays only while another processor can make the change; on a single one, it keeps the thread that makes the change
 * from running. */
static inline unsigned cpu_spins(unsigned turns)
{
    return cpu_count() > 1 ? turns : 1;
}

#endif
