/** A tasks' module that never finishes loading. */
export const tasks = {};

for (;;) Object.keys(tasks);
