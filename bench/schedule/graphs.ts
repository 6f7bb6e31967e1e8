/** Random dependency graphs in the shapes that users draw; reproducible by seed. */

export type Shape = "series-parallel" | "layered" | "sparse" | "router";
export const SHAPES: readonly Shape[] = ["series-parallel", "layered", "sparse", "router"];

export interface Graph {
  shape: Shape;
  /** For each node, its dependencies. */
  dependencies: number[][];
  /** Expected and actual seconds of each node. */
  expected: number[];
  actual: number[];
}

/** A generator of numbers from 0 to below 1. Source: "mulberry32", Tommy Ettinger, public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const randomBelow = (random: Random, most: number): number => Math.floor(random() * most);

/** Splits the nodes in two again and again, in series or in parallel. */
function seriesParallel(size: number, random: Random): number[][] {
  const dependencies = Array.from({ length: size }, (): number[] => []);
  const build = (from: number, to: number): void => {
    if (to - from < 2) return;
    const middle = from + 1 + randomBelow(random, to - from - 1);
    build(from, middle);
    build(middle, to);
    if (random() < 0.5) return;
    for (let second = middle; second < to; second += 1) {
      for (let first = from; first < middle; first += 1) dependencies[second]?.push(first);
    }
  };
  build(0, size);
  return dependencies;
}

/** Layers of nodes; each node depends on one to three of the layer before. */
function layered(size: number, random: Random): number[][] {
  const width = 2 + randomBelow(random, 6);
  return Array.from({ length: size }, (_, node) => {
    const layer = Math.floor(node / width);
    if (layer === 0) return [];
    const firsts = Array.from(
      { length: 1 + randomBelow(random, 3) },
      () => (layer - 1) * width + randomBelow(random, width),
    );
    return [...new Set(firsts)];
  });
}

/** Each node depends on up to two earlier ones. */
function sparse(size: number, random: Random): number[][] {
  return Array.from({ length: size }, (_, node) =>
    node === 0 ? [] : [...new Set(Array.from({ length: randomBelow(random, 3) }, () => randomBelow(random, node)))],
  );
}

/** One node classifies, branches of some steps follow, some branches read another's result, one node gathers. */
function router(size: number, random: Random): number[][] {
  const dependencies: number[][] = [[]];
  const branches = 2 + randomBelow(random, 5);
  const ends = new Array<number>(branches).fill(0);
  for (let node = 1; node < size - 1; node += 1) {
    const branch = randomBelow(random, branches);
    const firsts = new Set([ends[branch] ?? 0]);
    if (random() < 0.15) firsts.add(randomBelow(random, node));
    dependencies.push([...firsts]);
    ends[branch] = node;
  }
  dependencies.push([...new Set(ends)]);
  return dependencies;
}

const GRAPH_MAKERS: Record<Shape, (size: number, random: Random) => number[][]> = {
  "series-parallel": seriesParallel,
  layered,
  sparse,
  router,
};

/** Expected seconds of the kinds of nodes, and the spread of the actual ones. */
const EXPECTED_SECONDS = [8, 12, 6];
const DURATION_SPREAD = 0.8;

/** @param size the number of nodes; default 5 to 60 at random */
export function randomGraph(shape: Shape, seed: number, size?: number): Graph {
  const random = randomFrom(seed);
  const drawn = 5 + randomBelow(random, 56);
  const dependencies = GRAPH_MAKERS[shape](size ?? drawn, random);
  const expected = dependencies.map(() => EXPECTED_SECONDS[randomBelow(random, EXPECTED_SECONDS.length)] ?? 8);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const actual = expected.map((seconds) => seconds * Math.exp(DURATION_SPREAD * normal()));
  return { shape, dependencies, expected, actual };
}
