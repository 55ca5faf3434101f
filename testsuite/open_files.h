/* SPDX-License-Identifier: MIT */
/* How many files a test has open, to see that something leaves none open. */
#ifndef TESTSUITE_OPEN_FILES_H
#define TESTSUITE_OPEN_FILES_H

#include <dirent.h>
#include <stddef.h>

static inline unsigned open_files(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

#endif
