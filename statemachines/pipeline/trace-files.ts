/** The traces of pipelines among the files of their runs. */

/** Prefix of the file names of a run's traces: one for each status with which a run can end. */
export const TRACE_FILES = "pipeline/trace-";
