/** The imports of the project's own files, types included, as the source has them. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Source files below a folder, by their path from the root. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mts|mjs|cjs|tsx)$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  } catch {
    return [];
  }
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;
const TYPE_ONLY =
  /^\s*(?:import|export)\s+type\b|^\s*import\s*\{(?:\s*type\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*,?)+\s*\}\s*from/;

export interface Import {
  /** A package by its name, a file by its path from the root. */
  target: string;
  /** Types only: nothing is loaded. */
  typeOnly: boolean;
}

export const sourceOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The imports and re-exports of a file. */
export function importsOf(file: string, source = sourceOf(file)): Import[] {
  return [...source.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    const target = name.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(file), name)) : name;
    return { target, typeOnly: TYPE_ONLY.test(match[0].trimStart()) };
  });
}

export type Graph = ReadonlyMap<string, readonly string[]>;

/** File → the files that it imports. */
export const graphOf = (files: readonly string[]): Graph =>
  new Map(files.map((file) => [file, importsOf(file).map(({ target }) => target)] as const));

/** The circles of a graph: groups of nodes that all reach each other (Tarjan, 1972, in one pass). */
export function circlesIn(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) visit(next);
      else if (!stack.includes(next)) continue;
      lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** All files that one leads to by imports that load something. */
export function loadedBy(entry: string): Set<string> {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !/\.(ts|mts|mjs|cjs)$/.test(file)) continue;
    seen.add(file);
    for (const { target, typeOnly } of importsOf(file)) {
      if (!typeOnly && /^(functions|statemachines|bin|lib|client)\//.test(target)) waiting.push(target);
    }
  }
  return seen;
}
