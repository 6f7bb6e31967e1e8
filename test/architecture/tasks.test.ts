/** Tasks of the engine: each has its code, and every Lambda function bundles the code of its step's tasks. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadTasks } from "../../functions/adapters/local/load-tasks.ts";
import { filesBelow, importsOf, loadedBy, ROOT } from "../support/import-graph.ts";

const TASKS = filesBelow("functions/engine/tasks");
const RUN = /^functions\/engine\/tasks\/.*\.run\.ts$/;
const PDFIUM = "functions/engine/readers/pdf/pdfium.ts";

/** Files that define a task, whatever their name. */
const DEFINING = TASKS.filter((file) => /= defineTask\(/.test(readFileSync(join(ROOT, file), "utf8")));
const ENTRIES = filesBelow("bin/cloud/handlers");
const STEPS = ENTRIES.filter((file) => /\/(step-[\w-]+|nodes)\.ts$/.test(file));

describe("a task", () => {
  it("has a unique name, and its code beside it", async () => {
    expect(DEFINING.length).toBeGreaterThan(30);
    expect((await loadTasks()).size).toBe(DEFINING.length);
    expect(DEFINING.map((file) => file.replace(/\.ts$/, ".run.ts")).filter((file) => !TASKS.includes(file))).toEqual(
      [],
    );
  });
});

describe("a Lambda function", () => {
  it.each(STEPS)("bundles the code of every task of its step: %s", (entry) => {
    const steps = importsOf(entry).filter(({ target }) => target.startsWith("functions/steps/"));
    expect(steps.length).toBeGreaterThan(0);
    const asked = steps.flatMap(({ target }) => [...loadedBy(target)]).filter((file) => DEFINING.includes(file));
    const carried = new Set([...loadedBy(entry)].filter((file) => RUN.test(file)));
    expect(asked.filter((file) => !carried.has(file.replace(/\.ts$/, ".run.ts")))).toEqual([]);
  });

  it("loads no task code and no PDF engine when it takes requests", () => {
    const api = ENTRIES.filter((file) => /\/api-[\w-]+\.ts$/.test(file));
    expect(api.length).toBeGreaterThan(5);
    const heavy = api.flatMap((entry) => [...loadedBy(entry)].filter((file) => RUN.test(file) || file === PDFIUM));
    expect(heavy).toEqual([]);
  });
});
