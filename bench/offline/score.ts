/** Values beside what was stated: recall, precision, and how far chance may move them. */
import type { Json } from "../../functions/core/ports.ts";

export interface Outcome {
  file: string;
  language: string;
  scan: boolean;
  key: string;
  expected: Json;
  got: Json;
  /** The stated value contradicts others of its document. */
  doubtful: boolean;
}

export interface Score {
  right: number;
  returned: number;
  stated: number;
}

const fold = (text: string): string => text.trim().replace(/\s+/g, " ");

/** Exactly the same but for white space and half a cent. */
export function isRight(expected: Json, got: Json): boolean {
  if (typeof expected === "number") return typeof got === "number" && Math.abs(expected - got) <= 0.005;
  return typeof expected === "string" && typeof got === "string" && fold(expected) === fold(got);
}

export const scoreOf = (outcomes: readonly Outcome[]): Score => ({
  right: outcomes.filter(({ expected, got }) => isRight(expected, got)).length,
  returned: outcomes.filter(({ got }) => got !== null).length,
  stated: outcomes.length,
});

/** The 95 % score interval of a share (E. B. Wilson, 1927). */
export function wilson(hits: number, trials: number): string {
  if (trials === 0) return "–";
  const z = 1.96;
  const part = hits / trials;
  const centre = part + (z * z) / (2 * trials);
  const spread = z * Math.sqrt((part * (1 - part)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  const [low, high] = [Math.max(0, centre - spread), Math.min(scale, centre + spread)];
  return `${(low / scale).toFixed(3)}–${(high / scale).toFixed(3)}`;
}

export const share = (hits: number, trials: number): string => (trials === 0 ? "–" : (hits / trials).toFixed(3));

const WIDTH = 14;
const NAME = 18;

export function row(name: string, { right, returned, stated }: Score): string {
  const cells = [
    share(right, stated),
    wilson(right, stated),
    share(right, returned),
    wilson(right, returned),
    `${right}/${returned}/${stated}`,
  ];
  return `${name.padEnd(NAME)}${cells.map((cell) => cell.padEnd(WIDTH)).join("")}`.trimEnd();
}

export const header = (): string =>
  `${"".padEnd(NAME)}${["recall", "95 %", "precision", "95 %", "right/returned/stated"].map((cell) => cell.padEnd(WIDTH)).join("")}`.trimEnd();

/** A table by field, language and kind of document. */
export function report(title: string, outcomes: readonly Outcome[], keys: readonly string[]): void {
  console.log(`\n${title}\n${header()}`);
  const print = (name: string, pick: (outcome: Outcome) => boolean): void =>
    console.log(row(name, scoreOf(outcomes.filter(pick))));
  for (const key of keys) print(key, (outcome) => outcome.key === key);
  for (const language of [...new Set(outcomes.map((outcome) => outcome.language))].sort())
    print(`language ${language}`, (outcome) => outcome.language === language);
  print("text layers", ({ scan }) => !scan);
  print("pictures", ({ scan }) => scan);
  print("all", () => true);
  if (outcomes.some(({ doubtful }) => doubtful)) print("but for flagged", ({ doubtful }) => !doubtful);
}

/** How much one document moves the figures: the lowest and highest with any one of them left out. */
export function spread(outcomes: readonly Outcome[]): string {
  const files = [...new Set(outcomes.map(({ file }) => file))];
  const parts = files.map((file) => scoreOf(outcomes.filter((outcome) => outcome.file !== file)));
  const range = (values: number[]): string => `${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}`;
  return (
    `Any one document left out: recall ${range(parts.map(({ right, stated }) => right / stated))}, ` +
    `precision ${range(parts.map(({ right, returned }) => right / returned))}. ` +
    "Nothing is learned from these documents, so there is nothing to learn again without each of them."
  );
}
