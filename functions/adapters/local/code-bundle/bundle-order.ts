/** Bundles of this project's code: what goes in, and the hash that names one. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface BundleOrder {
  /** The project's folder with its node_modules. */
  root: string;
  /** Name of a bundled file → its main module, below the root. */
  entries: Readonly<Record<string, string>>;
  /**
   * Entries of processes that start often: their compiled code is kept. Their main modules export `serving`, a promise
   * that is resolved when all is loaded, and nothing below them may await at the top level of a module.
   */
  scripts?: readonly string[];
  /** Files and folders below the root whose content decides about a bundle. A missing one counts as empty. */
  sources: readonly string[];
  /** Packages that stay outside: native code, or programs that look for files beside themselves. */
  external: readonly string[];
  /** Packages that importers name but never call: the importer's name → the names of the imports left out. */
  unused: Readonly<Record<string, RegExp>>;
  /** Folder of all bundles. */
  cache: string;
}

/** Changes with the way of bundling: bundles of an older way are not found. */
const FORMAT = 3;

/** The files of a source, in a fixed order. */
function filesOf(root: string, source: string): string[] {
  const path = join(root, source);
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return [];
  if (!entry.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort();
}

/**
 * The files whose content names a bundle, and the hash: over their paths and contents, the order itself, the place of
 * the project (bundles name files of it) and Node's version.
 */
export function hashSources(order: BundleOrder): { hash: string; files: ReadonlySet<string> } {
  const { root, entries, scripts = [], external, unused } = order;
  const hash = createHash("sha256");
  const left = Object.entries(unused).map(([name, imports]) => [name, String(imports)]);
  hash.update(JSON.stringify([FORMAT, root, process.version, entries, scripts, external, left]));
  const files = order.sources.flatMap((source) => filesOf(root, source));
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`\n${file}\n${content.length}\n`).update(content);
  }
  return { hash: hash.digest("hex").slice(0, 40), files: new Set(files) };
}
