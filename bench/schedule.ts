/**
 * Makespans of planned pipelines, compared with plain waves and a greedy dispatcher, over random graphs with random
 * durations that the plan does not know. `npm run bench -- schedule [--graphs N] [--seed N]`; exits with code 1 when a
 * requirement fails.
 */
import { performance } from "node:perf_hooks";
import { makespanOf } from "../statemachines/pipeline/plan/measures.ts";
import { orderOf } from "../statemachines/pipeline/plan/order.ts";
import { schedule } from "../statemachines/pipeline/plan/schedule.ts";
import { greedySpan, lowerBound, wavesSpan } from "./schedule/dispatch.ts";
import { randomGraph, SHAPES, type Shape } from "./schedule/graphs.ts";
import { brokenRequirements, REQUIREMENTS, type Requirement } from "./schedule/judge.ts";
import { atLeast, noneFound, requireAll } from "./support/holds.ts";

interface Ratios {
  planned: number[];
  waves: number[];
  greedy: number[];
  milliseconds: number[];
  broken: Requirement[];
}

/** The least mean factor by which plain waves take longer. */
const MIN_WAVES_RATIO = 1.1;
const CONCURRENCY_LIMITS = [Infinity, 10, 4, 2];

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function measure(shape: Shape, limit: number, graphs: number, seed: number): Ratios {
  const ratios: Ratios = { planned: [], waves: [], greedy: [], milliseconds: [], broken: [] };
  for (let index = 0; index < graphs; index += 1) {
    const graph = randomGraph(shape, seed + index);
    const order = orderOf(graph.dependencies);
    const most = Math.min(limit, order.size);
    const started = performance.now();
    const plan = schedule({ order, duration: (node) => graph.expected[node] ?? 0, limit: most });
    ratios.milliseconds.push(performance.now() - started);
    const bound = lowerBound(order, graph, most);
    const exact = shape === "series-parallel" && most === order.size;
    const broken = brokenRequirements({ plan, order, graph, limit: most, bound, exact });
    for (const rule of broken) console.log(`    seed ${seed + index}: one of the ${REQUIREMENTS[rule]}`);
    ratios.broken.push(...broken);
    ratios.planned.push(makespanOf(plan, (node) => graph.actual[node] ?? 0) / bound);
    ratios.waves.push(wavesSpan(order, graph, most) / bound);
    ratios.greedy.push(greedySpan(order, graph, most) / bound);
  }
  return ratios;
}

function print(name: string, values: readonly number[]): void {
  const cells = [0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(3).padStart(9));
  console.log(`    ${name.padEnd(20)}${cells.join("")}${meanOf(values).toFixed(3).padStart(9)}`);
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const option = (name: string, otherwise: number): number => {
    const at = args.indexOf(name);
    return at >= 0 ? Number(args[at + 1]) : otherwise;
  };
  const graphs = Math.max(1, Math.round(option("--graphs", 2000) / SHAPES.length));
  const seed = option("--seed", 1);
  console.log(`${graphs * SHAPES.length} graphs of 5 to 60 nodes, from seed ${seed}: makespan over its lower bound`);
  const all: Ratios = { planned: [], waves: [], greedy: [], milliseconds: [], broken: [] };
  for (const limit of CONCURRENCY_LIMITS) {
    for (const shape of SHAPES) {
      const ratios = measure(shape, limit, graphs, seed);
      console.log(
        `\n  ${shape}, ${Number.isFinite(limit) ? `at most ${limit} at once` : "as many at once as there are"}`,
      );
      console.log(`    ${"".padEnd(20)}${["median", "p95", "worst", "mean"].map((cell) => cell.padStart(9)).join("")}`);
      for (const key of ["planned", "waves", "greedy"] as const) print(key, ratios[key]);
      for (const key of ["planned", "waves", "greedy", "milliseconds"] as const) all[key].push(...ratios[key]);
      all.broken.push(...ratios.broken);
    }
  }
  console.log("\n  all of them");
  for (const key of ["planned", "waves", "greedy"] as const) print(key, all[key]);
  print("milliseconds a plan", all.milliseconds);
  const rules = (Object.keys(REQUIREMENTS) as Requirement[]).map((rule) =>
    noneFound(REQUIREMENTS[rule], all.broken.filter((one) => one === rule).length),
  );
  requireAll([
    ...rules,
    atLeast("plain waves' mean beside ours", meanOf(all.waves) / meanOf(all.planned), MIN_WAVES_RATIO),
  ]);
}
