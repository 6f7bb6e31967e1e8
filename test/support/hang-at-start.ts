/** A module of tasks that never finishes loading. */
export const tasks = {};

for (;;) Object.keys(tasks);
