/**
 * Makespans of planned pipelines, compared with plain waves and a greedy dispatcher, over random graphs with random
 * durations that the plan does not know; and the time that a plan takes, repeated until it is known well enough.
 * `npm run bench -- schedule [--graphs N] [--seed N]`; exits with code 1 when a requirement fails.
 */
import { makespanOf } from "../statemachines/pipeline/plan/measures.ts";
import { orderOf } from "../statemachines/pipeline/plan/order.ts";
import { schedule } from "../statemachines/pipeline/plan/schedule.ts";
import { greedySpan, lowerBound, wavesSpan } from "./schedule/dispatch.ts";
import { randomGraph, SHAPES, type Shape } from "./schedule/graphs.ts";
import { brokenRequirements, REQUIREMENTS, type Requirement } from "./schedule/judge.ts";
import { atLeast, noneFound, requireAll } from "./support/holds.ts";
import { isNarrow, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";
import { timeWork } from "./text/times.ts";

interface Ratios {
  planned: number[];
  waves: number[];
  greedy: number[];
  broken: Requirement[];
}

/** The least mean factor by which plain waves take longer. */
const MIN_WAVES_RATIO = 1.1;
const CONCURRENCY_LIMITS = [Infinity, 10, 4, 2];
/** Graphs of each shape whose planning is timed, and the time for all rounds. */
const MAX_TIMED_GRAPHS = 25;
const MOST_TIMED_MS = 5_000;
/** The widest interval of a time, as a share of it. */
const MAX_WIDTH = 0.1;

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function measure(shape: Shape, limit: number, graphs: number, seed: number): Ratios {
  const ratios: Ratios = { planned: [], waves: [], greedy: [], broken: [] };
  for (let index = 0; index < graphs; index += 1) {
    const graph = randomGraph(shape, seed + index);
    const order = orderOf(graph.dependencies);
    const most = Math.min(limit, order.size);
    const plan = schedule({ order, duration: (node) => graph.expected[node] ?? 0, limit: most });
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

/** Prints the time of a plan, over plans of every shape and limit. */
async function printTimes(graphs: number, seed: number): Promise<void> {
  const timed = SHAPES.flatMap((shape) =>
    Array.from({ length: Math.min(graphs, MAX_TIMED_GRAPHS) }, (_, index) => {
      const graph = randomGraph(shape, seed + index);
      return { graph, order: orderOf(graph.dependencies) };
    }),
  );
  const plans = timed.length * CONCURRENCY_LIMITS.length;
  const repeated = await repeatUntilNarrow(
    async () => {
      const [, { wall, cpu }] = await timeWork(async () => {
        for (const limit of CONCURRENCY_LIMITS)
          for (const { graph, order } of timed)
            schedule({ order, duration: (node) => graph.expected[node] ?? 0, limit: Math.min(limit, order.size) });
      });
      return { wall: wall / plans, cpu: cpu / plans };
    },
    { mostMs: MOST_TIMED_MS },
  );
  const { wall, cpu } = repeated.spreads;
  console.log(`\n  milliseconds a plan, median of the rounds; ${sayLoad(repeated)}`);
  console.log(`    ${"wall".padEnd(20)}${sayFigure(wall, isNarrow(wall, MAX_WIDTH), 3)}`);
  console.log(`    ${"processor".padEnd(20)}${sayFigure(cpu, isNarrow(cpu, MAX_WIDTH), 3)}`);
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
  const all: Ratios = { planned: [], waves: [], greedy: [], broken: [] };
  for (const limit of CONCURRENCY_LIMITS) {
    for (const shape of SHAPES) {
      const ratios = measure(shape, limit, graphs, seed);
      console.log(
        `\n  ${shape}, ${Number.isFinite(limit) ? `at most ${limit} at once` : "as many at once as there are"}`,
      );
      console.log(`    ${"".padEnd(20)}${["median", "p95", "worst", "mean"].map((cell) => cell.padStart(9)).join("")}`);
      for (const key of ["planned", "waves", "greedy"] as const) print(key, ratios[key]);
      for (const key of ["planned", "waves", "greedy"] as const) all[key].push(...ratios[key]);
      all.broken.push(...ratios.broken);
    }
  }
  console.log("\n  all of them");
  for (const key of ["planned", "waves", "greedy"] as const) print(key, all[key]);
  await printTimes(graphs, seed);
  const rules = (Object.keys(REQUIREMENTS) as Requirement[]).map((rule) =>
    noneFound(REQUIREMENTS[rule], all.broken.filter((one) => one === rule).length),
  );
  requireAll([
    ...rules,
    atLeast("plain waves' mean beside ours", meanOf(all.waves) / meanOf(all.planned), MIN_WAVES_RATIO),
  ]);
}
