/* SPDX-License-Identifier: MIT */
/* Programs whose work-items wait for each other and hand on work. What they count for all groups is among the results,
 * which begin with zeros. The results do not depend on who is first. */

/* A lock of each group, one of all, and a ticket that lets work-items pass in turn. One lane of a wave contends at a
 * time, as lanes that wait do not let others of their wave go on. */
PROGRAM locks(GLOBAL uint *out)
{
    SHARED uint group_lock, group_sum;
    GLOBAL volatile uint *lock = out + 4, *ticket = out + 5, *turn = out + 6;
    GLOBAL volatile uint *sum = out, *order = out + 1;
    if (!ITEM)
        group_lock = group_sum = 0;
    group_barrier();
    for (uint lane = 0; lane < WAVE; lane++)
        if (ITEM % WAVE == lane) {
            while (swap_local(&group_lock, 1))
                make_way();
            *(volatile LOCAL uint *)&group_sum += ITEM;
            swap_local(&group_lock, 0);
        }
    group_barrier();
    if (ITEM % WAVE)
        return;
    while (!replace_global(lock, 0, 1))
        make_way();
    *sum += group_sum + ITEM;
    swap_global(lock, 0);
    uint mine = add_global(ticket, 1);
    while (load_global(turn) != mine)
        make_way();
    *order = *order * 3 + 1;
    add_global(turn, 1);
}

/* Task N makes the tasks 2 N and 2 N + 1, which go to the queue of the work-item that executes it. One that finds its
 * own queue empty takes from those of others. Each task leaves its mark where its number says. */
enum { TASKS = 64, QUEUES = 16, PLACES = QUEUES * TASKS };

/* Takes the first task of a queue; false if there is none, or another work-item was faster. */
static bool take_task(LOCAL uint *queues, LOCAL uint *ends, LOCAL uint *begins, uint queue, uint *task)
{
    uint begin = load_local(&begins[queue]);
    if (begin == load_local(&ends[queue]))
        return false;
    *task = load_local(&queues[queue * TASKS + begin]);
    return *task && replace_local(&begins[queue], begin, begin + 1);
}

PROGRAM work_queues(GLOBAL uint *out)
{
    SHARED uint queues[PLACES], ends[QUEUES], begins[QUEUES], left;
    for (uint i = ITEM; i < PLACES; i += GROUP)
        queues[i] = 0;
    if (ITEM < QUEUES)
        ends[ITEM] = begins[ITEM] = 0;
    if (!ITEM) {
        queues[0] = 1;
        ends[0] = 1;
        left = TASKS - 1;
    }
    group_barrier();
    while (ITEM < QUEUES && load_local(&left)) {
        uint task = 0;
        bool taken = false;
        for (uint i = 0; i < QUEUES && !taken; i++)
            taken = take_task(queues, ends, begins, (ITEM + i) % QUEUES, &task);
        if (!taken) {
            make_way();
            continue;
        }
        for (uint child = 2 * task; child <= 2 * task + 1 && child < TASKS; child++) {
            uint place = add_local(&ends[ITEM], 1);
            swap_local(&queues[ITEM * TASKS + place], child);
        }
        out[GROUP_ID * TASKS + task] = random_word(task) ^ GROUP_ID;
        add_local(&left, ~0u);
    }
}

/* The group that ends last adds what all groups have found. */
PROGRAM last_group(GLOBAL uint *out)
{
    SHARED uint sum, count;
    GLOBAL volatile uint *parts = out + 1, *ended = out + 16;
    if (!ITEM)
        sum = 0;
    group_barrier();
    add_local(&sum, random_word(GROUP_ID * GROUP + ITEM) & 0xffff);
    group_barrier();
    if (!ITEM) {
        swap_global(&parts[GROUP_ID], sum);
        count = add_global(ended, 1);
        for (uint i = 0; count == 3 && i < 4; i++)
            *out += load_global(&parts[i]);
    }
}
