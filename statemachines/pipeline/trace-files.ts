/** The traces of pipelines among the files of their runs. */

/** What the names of a run's traces begin with, among its files: one for each status that it may have ended with. */
export const TRACE_FILES = "pipeline/trace-";
