/** The order in which files of tests begin. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import SlowFirst, { SLOW_FILES } from "../support/slow-first.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** As vitest describes a file. @param duration of an earlier run, in milliseconds */
const specification = (path: string, project: string, duration: number) => ({
  moduleId: join(ROOT, path),
  duration,
  project: { name: project, config: { root: ROOT, isolate: project === "alone", sequence: { groupOrder: 0 } } },
});

describe("the slow files", () => {
  it("are there, and each is named once", () => {
    expect(SLOW_FILES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(new Set(SLOW_FILES).size).toBe(SLOW_FILES.length);
  });

  it("begin before all others of their project, in their order; the others keep the order of their times", async () => {
    const [first = "", second = ""] = SLOW_FILES;
    const given = [
      specification("test/a.test.ts", "together", 10),
      specification(second, "together", 0),
      specification("test/b.test.ts", "together", 20),
      specification(first, "together", 0),
      specification("test/c.test.ts", "alone", 1),
    ];
    const cache = {
      getTestSpecificationResult: ({ duration }: (typeof given)[number]) => ({ failed: false, duration }),
    };
    const sorted = await new SlowFirst({ cache } as unknown as Vitest).sort(given as unknown as TestSpecification[]);
    expect(sorted.map(({ moduleId }) => moduleId.slice(ROOT.length + 1))).toEqual([
      "test/c.test.ts",
      first,
      second,
      "test/b.test.ts",
      "test/a.test.ts",
    ]);
  });
});
