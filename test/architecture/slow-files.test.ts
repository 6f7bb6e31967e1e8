import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { SLOW_FILES } from "../support/slow-first.ts";

const ROOT = resolve(import.meta.dirname, "../..");

it("each file of tests that begins first is there, and is named once", () => {
  expect(SLOW_FILES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(new Set(SLOW_FILES).size).toBe(SLOW_FILES.length);
});
