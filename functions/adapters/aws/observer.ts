/**
 * Log lines as JSON, and metrics as lines in CloudWatch's Embedded Metric Format, which CloudWatch extracts from the
 * log.
 * Source: "Specification: Embedded metric format", CloudWatch User Guide.
 */
import type { LogLevel, Observer } from "../../ports/observer.ts";

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

export function lambdaObserver({ write, level, now, namespace }: LambdaObserverOptions): Observer {
  const line = (members: object): void => write(`${JSON.stringify(members)}\n`);
  const metric = (name: string, unit: "Count" | "Seconds", labels: Record<string, string>, value: number): void => {
    // CloudWatch rejects the whole line for one empty dimension value.
    const dimensions = Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== ""));
    line({
      _aws: {
        Timestamp: now(),
        CloudWatchMetrics: [
          { Namespace: namespace, Dimensions: [Object.keys(dimensions)], Metrics: [{ Name: name, Unit: unit }] },
        ],
      },
      ...dimensions,
      [name]: value,
    });
  };
  return {
    log(severity, message, fields = {}) {
      if (LEVEL_RANKS[severity] < LEVEL_RANKS[level]) return;
      line({ time: new Date(now()).toISOString(), level: severity, message, ...fields });
    },
    count: (name, labels = {}, by = 1) => metric(name, "Count", labels, by),
    time: (name, labels, seconds) => metric(name, "Seconds", labels, seconds),
  };
}
