/** Test files share their processes (vitest.config.ts): a change of global state would affect the next file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const TESTS = join(import.meta.dirname, "..");
/** Files with processes of their own, and this one, which names what it forbids. */
const APART = /^(?:full|cloud)\/|^architecture\/processes/;

const FORBIDDEN: [string, RegExp][] = [
  ["stubs a module", /\bvi\.(?:do)?[mM]ock\(/],
  ["stubs a class of the SDK, for every client: give mockClient a client", /\bmockClient\([A-Z]/],
  ["stops the clock of all", /\buseFakeTimers\(/],
  ["changes the working directory", /\bprocess\.chdir\(/],
];

it("test files change no global state of their process", () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => name.endsWith(".ts") && !APART.test(name));
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap((name) => {
    const text = readFileSync(join(TESTS, name), "utf8");
    return FORBIDDEN.flatMap(([what, pattern]) => (pattern.test(text) ? [`${name} ${what}`] : []));
  });
  expect(found).toEqual([]);
});
