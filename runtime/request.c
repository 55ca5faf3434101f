/* SPDX-License-Identifier: MIT */
/* Requests to agent drivers, which a driver may answer later and from another thread. (MV 2.2)
 *
 * Input: requests, and replies with cookies of any value from any thread. Output: the result of each request.
 * Invariant: between its start and its finish a request is in the list under a number of its own. A reply that is
 * late, repeated or made up finds no request and is ignored. */
#include "runtime/request.h"

#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    struct request *open;
    uint64_t last_id;
} requests = {.lock = PTHREAD_MUTEX_INITIALIZER, .answered = PTHREAD_COND_INITIALIZER};

void *request_start(struct request *request)
{
    pthread_mutex_lock(&requests.lock);
    *request = (struct request){.next = requests.open, .id = ++requests.last_id};
    requests.open = request;
    pthread_mutex_unlock(&requests.lock);
    return (void *)(uintptr_t)request->id;
}

HSAM_Error request_finish(struct request *request, HSAM_Error returned)
{
    pthread_mutex_lock(&requests.lock);
    if (returned == HSAM_Async) {
        while (!request->answered)
            pthread_cond_wait(&requests.answered, &requests.lock);
        returned = request->result;
    }
    struct request **link = &requests.open;
    while (*link != request)
        link = &(*link)->next;
    *link = request->next;
    pthread_mutex_unlock(&requests.lock);
    return returned;
}

void request_reply(HSAM_Error result, void *cookie)
{
    pthread_mutex_lock(&requests.lock);
    for (struct request *r = requests.open; r; r = r->next)
        if (r->id == (uintptr_t)cookie && !r->answered) {
            r->result = result == HSAM_Async ? HSAM_Fault : result;
            r->answered = true;
            pthread_cond_broadcast(&requests.answered);
        }
    pthread_mutex_unlock(&requests.lock);
}

hsa_status_t request_status(HSAM_Error result)
{
    switch (result) {
    case HSAM_Done: return HSA_STATUS_SUCCESS;
    case HSAM_OutOfResources: return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    case HSAM_Not_Supported:
    case HSAM_Invalid_Argument: return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    case HSAM_Async:
    case HSAM_Fault:
    case HSAM_Busy: break;
    }
    return HSA_STATUS_ERROR;
}
