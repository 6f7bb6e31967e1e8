/**
 * The project's code as one file for each process, so that a process starts without reading and translating hundreds of
 * files. A bundle lies in a cache under the hash of its sources, and is used only while they and the packages' files are
 * unchanged; the first start after a change writes a new one.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BundleOrder, hashSources } from "./bundle-order.ts";
import { MANIFEST_FILE, type Manifest, stateOf, writeBundle } from "./write-bundle.ts";

/** A sound bundle, as it was at the start. */
export interface CodeBundle {
  /** The file of an entry. */
  fileOf(entry: string): URL;
}

/** Without a bundle, code runs from its sources, and the fault says why. */
export type OpenedBundle = { bundle: CodeBundle; fault?: never } | { bundle?: never; fault: string };

/** Bundles kept beside the new one: those of running services, and of branches that one works on in turns. */
const KEPT_BUNDLES = 3;
/** Hours after which an unfinished bundle is that of a process that has died. */
const MAX_WRITING_HOURS = 1;
const UNFINISHED = "unfinished-";

/** True when a bundle is whole, and the packages' files are those that went in. */
function isSound(folder: string): boolean {
  try {
    const { written, packages } = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), "utf8")) as Manifest;
    const whole = Object.entries(written).every(([name, size]) => statSync(join(folder, name)).size === size);
    return (
      whole &&
      Object.entries(packages).every(([path, [size, changed]]) => {
        const now = stateOf(statSync(path));
        return now[0] === size && now[1] === changed;
      })
    );
  } catch {
    return false; // a file is missing or unreadable
  }
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Removes the bundles that no start has used for longest, and what processes that died have left. */
function removeOld(cache: string, newest: string): void {
  const paths = readdirSync(cache).map((name) => ({ name, path: join(cache, name) }));
  const abandoned = paths.filter(
    ({ name, path }) => name.startsWith(UNFINISHED) && changedAt(path) < Date.now() - MAX_WRITING_HOURS * 3_600_000,
  );
  const old = paths
    .filter(({ name, path }) => !name.startsWith(UNFINISHED) && path !== newest)
    .sort((a, b) => changedAt(b.path) - changedAt(a.path))
    .slice(KEPT_BUNDLES);
  for (const { path } of [...abandoned, ...old]) rmSync(path, { recursive: true, force: true });
}

/** Gives a finished bundle its name. Another process may have done so with the same bundle at the same time. */
function publish(written: string, folder: string): void {
  try {
    renameSync(written, folder);
    return;
  } catch (error) {
    if (isSound(folder)) return;
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
  rmSync(folder, { recursive: true, force: true }); // damaged, or of packages that have changed since
  renameSync(written, folder);
}

async function make(order: BundleOrder, files: ReadonlySet<string>, folder: string): Promise<void> {
  mkdirSync(order.cache, { recursive: true });
  const temporary = mkdtempSync(join(order.cache, UNFINISHED));
  try {
    await writeBundle(order, files, temporary);
    chmodSync(temporary, 0o755); // whoever may run the project may read it
    publish(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Notes the use of a bundle, and keeps the cache small; a cache that cannot be written stays as it is. */
function tidy(cache: string, folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
    removeOld(cache, folder);
  } catch {
    // Read-only, or another start is tidying.
  }
}

/** Finds the bundle of the sources as they are now, or writes it. Never throws. */
export async function openCodeBundle(order: BundleOrder): Promise<OpenedBundle> {
  try {
    const { hash, files } = hashSources(order);
    const folder = join(order.cache, hash);
    if (!isSound(folder)) await make(order, files, folder);
    tidy(order.cache, folder);
    return { bundle: { fileOf: (entry) => pathToFileURL(join(folder, `${entry}.mjs`)) } };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    return { fault: `The code cannot be bundled (${reason}); it runs from its sources, and processes start slower` };
  }
}
