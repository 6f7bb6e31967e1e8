/**
 * Metrics gathered to lines in CloudWatch's Embedded Metric Format. Names, values and dimensions are members of one
 * object, so a line holds each name once and one value of each dimension; what does not fit begins another line.
 * Source: "Specification: Embedded metric format", CloudWatch User Guide.
 */

export interface Metric {
  name: string;
  unit: "Count" | "Seconds";
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Most values of one metric, and most metrics of one directive, in a line; limits of the format. */
const MAX_VALUES = 100;
const MAX_METRICS = 100;

interface Directive {
  /** Names of the dimensions, sorted. */
  dimensions: readonly string[];
  metrics: { Name: string; Unit: Metric["unit"] }[];
}

class MetricLine {
  readonly #dimensions = new Map<string, string>();
  readonly #directives: Directive[] = [];
  readonly #values = new Map<string, number[]>();

  /** @returns false when the metric contradicts the line, or has no room in it */
  add({ name, unit, labels, value }: Metric): boolean {
    const dimensions = Object.keys(labels).sort();
    const agrees = (key: string): boolean =>
      !this.#values.has(key) && (this.#dimensions.get(key) ?? labels[key]) === labels[key];
    if (!dimensions.every(agrees) || this.#dimensions.has(name)) return false;
    const directive = this.#directives.find((one) => one.dimensions.join() === dimensions.join());
    const known = directive?.metrics.some(({ Name }) => Name === name) === true;
    const values = this.#values.get(name);
    // The same name with other dimensions would have the same value.
    if (values !== undefined && !known) return false;
    if (values === undefined) {
      if ((directive?.metrics.length ?? 0) >= MAX_METRICS) return false;
      const metric = { Name: name, Unit: unit };
      if (directive === undefined) this.#directives.push({ dimensions, metrics: [metric] });
      else directive.metrics.push(metric);
      this.#values.set(name, [value]);
    } else if (unit === "Count") values[0] = (values[0] ?? 0) + value;
    else if (values.length < MAX_VALUES) values.push(value);
    else return false;
    for (const key of dimensions) this.#dimensions.set(key, labels[key] ?? "");
    return true;
  }

  members(namespace: string, timestamp: number): object {
    const CloudWatchMetrics = this.#directives.map(({ dimensions, metrics }) => ({
      Namespace: namespace,
      Dimensions: [dimensions],
      Metrics: metrics,
    }));
    const values = [...this.#values].map(([name, given]) => [name, given.length === 1 ? given[0] : given]);
    return {
      _aws: { Timestamp: timestamp, CloudWatchMetrics },
      ...Object.fromEntries(this.#dimensions),
      ...Object.fromEntries(values),
    };
  }
}

/** Gathers metrics until they are taken as the members of lines. */
export class MetricLines {
  readonly #namespace: string;
  #lines: MetricLine[] = [];

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  add(given: Metric): void {
    // CloudWatch rejects the whole line for one empty dimension value.
    const labels = Object.fromEntries(Object.entries(given.labels).filter(([, text]) => text !== ""));
    const metric = { ...given, labels };
    if (this.#lines.some((line) => line.add(metric))) return;
    const line = new MetricLine();
    line.add(metric);
    this.#lines.push(line);
  }

  /** Takes all that was added. @param timestamp of the lines, milliseconds since 1970 */
  take(timestamp: number): object[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines.map((line) => line.members(this.#namespace, timestamp));
  }
}
