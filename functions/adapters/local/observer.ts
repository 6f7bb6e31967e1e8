/** Log lines as JSON on a stream, and Prometheus metrics. */
import type { Writable } from "node:stream";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { LogLevel, Observer } from "../../ports/observer.ts";

const LEVEL_RANKS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };
const DURATION_BUCKETS_SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 5, 20, 60, 300];

export interface LocalObserver extends Observer {
  /** Metrics in Prometheus' text format. */
  metrics(): Promise<string>;
  readonly metricsType: string;
}

/** @param level lowest level that is logged */
export function localObserver(stream: Writable, level: LogLevel, now: () => number): LocalObserver {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  return {
    log(severity, message, fields = {}) {
      if (LEVEL_RANKS[severity] < LEVEL_RANKS[level]) return;
      stream.write(`${JSON.stringify({ time: new Date(now()).toISOString(), level: severity, message, ...fields })}\n`);
    },
    count(metric, labels = {}, by = 1) {
      let counter = counters.get(metric);
      if (counter === undefined) {
        const name = `sheaf_${metric}`;
        counter = new Counter({ name, help: helpOf(metric), labelNames: Object.keys(labels), registers: [registry] });
        counters.set(metric, counter);
      }
      counter.inc(labels, by);
    },
    time(metric, labels, seconds) {
      let histogram = histograms.get(metric);
      if (histogram === undefined) {
        const labelNames = Object.keys(labels);
        const options = {
          name: `sheaf_${metric}`,
          help: helpOf(metric),
          labelNames,
          buckets: DURATION_BUCKETS_SECONDS,
        };
        histogram = new Histogram({ ...options, registers: [registry] });
        histograms.set(metric, histogram);
      }
      histogram.observe(labels, seconds);
    },
    metrics: () => registry.metrics(),
    metricsType: registry.contentType,
  };
}

const helpOf = (metric: string): string => metric.replaceAll("_", " ");
