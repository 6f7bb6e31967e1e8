/** A module of tasks that does not load. */
export const tasks = {};

throw new Error("no such engine");
