/** Tasks of the engine: each has its code, and every Lambda function bundles the code of its step's tasks. */
import { describe, expect, it } from "vitest";
import { loadTasks } from "../../functions/adapters/local/load-tasks.ts";
import { askedBy, definingFiles } from "../generated/carried-tasks.ts";
import { filesBelow, importsOf, loadedBy } from "../support/import-graph.ts";

const TASKS = filesBelow("functions/engine/tasks");
const RUN = /^functions\/engine\/tasks\/.*\.run\.ts$/;
const PDFIUM = "functions/engine/readers/pdf/pdfium.ts";

const DEFINING = definingFiles();
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
  it.each(STEPS)("bundles the code of the tasks of its step, and of no others: %s", (entry) => {
    expect(importsOf(entry).some(({ target }) => target.startsWith("functions/steps/"))).toBe(true);
    const carried = [...loadedBy(entry)].filter((file) => RUN.test(file));
    const asked = askedBy(entry, new Set(DEFINING));
    expect(carried.sort()).toEqual(asked.map((name) => `functions/engine/tasks/${name}.run.ts`).sort());
  });

  it("carries what its step loads: the tasks that it imports, and those behind other files", () => {
    const asked = (entry: string) => askedBy(`bin/cloud/handlers/${entry}.ts`, new Set(DEFINING));
    expect(asked("step-transcribe")).toEqual(expect.arrayContaining(["cells", "transcribe"]));
    expect(asked("step-extract")).toContain("locate");
    expect(asked("step-settle")).toEqual([]);
  });

  it("loads no task code and no PDF engine when it takes requests", () => {
    const api = ENTRIES.filter((file) => /\/api-[\w-]+\.ts$/.test(file));
    expect(api.length).toBeGreaterThan(5);
    const heavy = api.flatMap((entry) => [...loadedBy(entry)].filter((file) => RUN.test(file) || file === PDFIUM));
    expect(heavy).toEqual([]);
  });
});
