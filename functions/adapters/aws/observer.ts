/**
 * Log lines as JSON, and metrics as lines in CloudWatch's Embedded Metric Format, which CloudWatch extracts from the
 * log. The metrics of one invocation share a line where they can, because each line is paid for.
 * Source: "Specification: Embedded metric format", CloudWatch User Guide.
 */
import type { LogLevel, Observer } from "../../ports/observer.ts";
import { type Metric, MetricLines } from "./metric-lines.ts";

const LEVEL_RANKS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export interface LambdaObserverOptions {
  /** Takes one line with its line end. */
  write: (line: string) => void;
  /** Lowest level that is logged; metrics are always written. */
  level: LogLevel;
  now: () => number;
  /** Namespace of the metrics in CloudWatch. */
  namespace: string;
}

export interface LambdaObserver extends Observer {
  /**
   * Does the work of one invocation, and writes its metrics at the end, also when it throws. Outside of it each metric
   * is written at once.
   */
  duringInvocation<T>(work: () => Promise<T>): Promise<T>;
}

export function lambdaObserver({ write, level, now, namespace }: LambdaObserverOptions): LambdaObserver {
  const line = (members: object): void => write(`${JSON.stringify(members)}\n`);
  const lines = new MetricLines(namespace);
  /** A function works on one invocation at a time; nested calls belong to the outermost. */
  let invocations = 0;
  const writeMetrics = (): void => {
    for (const members of lines.take(now())) line(members);
  };
  const add = (metric: Metric): void => {
    lines.add(metric);
    if (invocations === 0) writeMetrics();
  };
  return {
    log(severity, message, fields = {}) {
      if (LEVEL_RANKS[severity] < LEVEL_RANKS[level]) return;
      line({ time: new Date(now()).toISOString(), level: severity, message, ...fields });
    },
    count: (name, labels = {}, by = 1) => add({ name, unit: "Count", labels, value: by }),
    time: (name, labels, seconds) => add({ name, unit: "Seconds", labels, value: seconds }),
    async duringInvocation(work) {
      invocations += 1;
      try {
        return await work();
      } finally {
        invocations -= 1;
        if (invocations === 0) writeMetrics();
      }
    },
  };
}
