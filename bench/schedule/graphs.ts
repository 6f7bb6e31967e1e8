/** Random dependency graphs in the shapes that users draw, the same ones for the same seed. */

export type Shape = "series-parallel" | "layered" | "sparse" | "router";
export const SHAPES: readonly Shape[] = ["series-parallel", "layered", "sparse", "router"];

export interface Graph {
  shape: Shape;
  /** For each node, the nodes that it waits for. */
  after: number[][];
  /** What a plan expects of each node, in seconds, and how long it takes then. */
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
const below = (random: Random, most: number): number => Math.floor(random() * most);

/** Splits nodes in two again and again, one half after or beside the other. */
function seriesParallel(size: number, random: Random): number[][] {
  const after = Array.from({ length: size }, (): number[] => []);
  const build = (from: number, to: number): void => {
    if (to - from < 2) return;
    const middle = from + 1 + below(random, to - from - 1);
    build(from, middle);
    build(middle, to);
    if (random() < 0.5) return;
    for (let second = middle; second < to; second += 1) {
      for (let first = from; first < middle; first += 1) after[second]?.push(first);
    }
  };
  build(0, size);
  return after;
}

/** Layers of nodes, each waiting for one to three of the layer before. */
function layered(size: number, random: Random): number[][] {
  const width = 2 + below(random, 6);
  return Array.from({ length: size }, (_, node) => {
    const layer = Math.floor(node / width);
    if (layer === 0) return [];
    const firsts = Array.from({ length: 1 + below(random, 3) }, () => (layer - 1) * width + below(random, width));
    return [...new Set(firsts)];
  });
}

/** Each node waits for up to two of any that came before. */
function sparse(size: number, random: Random): number[][] {
  return Array.from({ length: size }, (_, node) =>
    node === 0 ? [] : [...new Set(Array.from({ length: below(random, 3) }, () => below(random, node)))],
  );
}

/** One classifies, branches of some steps follow, some branches look at another's result, one node gathers. */
function router(size: number, random: Random): number[][] {
  const after: number[][] = [[]];
  const branches = 2 + below(random, 5);
  const ends = new Array<number>(branches).fill(0);
  for (let node = 1; node < size - 1; node += 1) {
    const branch = below(random, branches);
    const firsts = new Set([ends[branch] ?? 0]);
    if (random() < 0.15) firsts.add(below(random, node));
    after.push([...firsts]);
    ends[branch] = node;
  }
  after.push([...new Set(ends)]);
  return after;
}

const MAKERS: Record<Shape, (size: number, random: Random) => number[][]> = {
  "series-parallel": seriesParallel,
  layered,
  sparse,
  router,
};

/** What nodes of the three kinds that wait for others are expected to take, and how far off that may be. */
const EXPECTED = [8, 12, 6];
const SPREAD = 0.8;

/** @param size how many nodes; 5 to 60 as it comes */
export function randomGraph(shape: Shape, seed: number, size?: number): Graph {
  const random = randomFrom(seed);
  const drawn = 5 + below(random, 56);
  const after = MAKERS[shape](size ?? drawn, random);
  const expected = after.map(() => EXPECTED[below(random, EXPECTED.length)] ?? 8);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const actual = expected.map((seconds) => seconds * Math.exp(SPREAD * normal()));
  return { shape, after, expected, actual };
}
