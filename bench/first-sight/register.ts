/** The list of all sets that were ever run, with their figures at first sight. An entry is never changed or dropped. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SetFigures } from "./figures.ts";

export interface RegisterEntry {
  set: string;
  subject: string;
  /** Path of the list of files; null for a set that was run before such lists were kept. */
  manifest: string | null;
  /** Day of the first run. */
  run: string;
  /** The code that was run; null where it was not written down. */
  commit: string | null;
  /** The figure at first sight as the documentation states it; every other figure of the set is one of regression. */
  firstSight: string;
  figures?: object;
}

export const REGISTER_FILE = path.join(import.meta.dirname, "register.json");

export const readRegister = async (file = REGISTER_FILE): Promise<RegisterEntry[]> =>
  JSON.parse(await readFile(file, "utf8")) as RegisterEntry[];

/** Words of the main figure: `recall 0.8 (0.7–0.9), precision 0.9 (0.8–1)`. */
export const firstSightText = ({ recall, precision }: SetFigures): string =>
  [
    `recall ${recall.share} (${recall.low}–${recall.high})`,
    `precision ${precision.share} (${precision.low}–${precision.high})`,
  ].join(", ");

/** Writes the figure of a first run down. @returns false for a set that was run before: its entry stays as it is */
export async function registerEntry(
  first: Omit<RegisterEntry, "run" | "commit">,
  now: Date,
  file = REGISTER_FILE,
): Promise<boolean> {
  const entries = await readRegister(file);
  if (entries.some(({ set }) => set === first.set)) return false;
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  const { firstSight, figures, ...what } = first;
  const entry: RegisterEntry = {
    ...what,
    run: now.toISOString().slice(0, 10),
    commit,
    firstSight,
    ...(figures && { figures }),
  };
  await writeFile(file, `${JSON.stringify([...entries, entry], null, 2)}\n`);
  return true;
}

/** The same of a set in `first-sight/sets`. */
export const registerFirstRun = (
  set: string,
  subject: string,
  figures: SetFigures,
  now: Date,
  file = REGISTER_FILE,
): Promise<boolean> =>
  registerEntry(
    { set, subject, manifest: `bench/first-sight/sets/${set}.json`, firstSight: firstSightText(figures), figures },
    now,
    file,
  );
