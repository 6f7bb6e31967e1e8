/** docs/conformance.md and the requirements that it is made of. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doubles, faultsOfContract, faultsOfRoutes, faultsOfTests, servedNames } from "../conformance/faults.ts";
import { renderConformance } from "../conformance/render.ts";
import { parseChapter, type Requirement, readRequirements } from "../conformance/requirements.ts";
import { ROOT } from "../support/doc-pages.ts";

const requirements = readRequirements();

describe("docs/conformance.md", () => {
  it("is up to date: else run npm run conformance", () => {
    expect(readFileSync(join(ROOT, "docs/conformance.md"), "utf8") === renderConformance(requirements)).toBe(true);
  });
});

describe("the requirements", () => {
  it("are held by tests that exist and run, but for what is not built", () => {
    expect(requirements.length).toBeGreaterThan(800);
    expect(faultsOfTests(requirements)).toEqual([]);
  });

  it("name each thing once", () => {
    expect(doubles(requirements)).toEqual([]);
  });

  it("name every route of the service, with its own statuses, parameters and members, and no other", () => {
    expect(servedNames().length).toBeGreaterThan(300);
    expect(faultsOfRoutes(requirements)).toEqual([]);
  });

  it("name all that the contract names, where it is at hand", ({ skip }) => {
    const faults = faultsOfContract(requirements);
    if (faults === undefined) {
      console.warn("SKIPPED: the contract is not beside this repository (../shared/contract, or SHEAF_CONTRACT_DIR)");
      skip();
    }
    expect(faults).toEqual([]);
  });
});

describe("the check of the requirements", () => {
  const [first] = requirements as [Requirement];
  const held = (test: string): string[] => faultsOfTests([{ ...first, tests: [test] }]);

  it("reports a test that is missing, and one without a file", () => {
    expect(held("docs/pages > README.md > is blue")).toEqual(["There is no test docs/pages > README.md > is blue"]);
    expect(held("docs/none > x")).toEqual(["There is no test docs/none > x"]);
    expect(faultsOfTests([{ ...first, tests: [] }])).toEqual([`${first.kind} ${first.name}: no test`]);
  });

  it("reports a test that is switched off", () => {
    const read = (files: readonly string[]) =>
      new Map(files.map((file) => [file, [{ title: "x", skipped: true }]] as const));
    expect(faultsOfTests([{ ...first, tests: ["docs/pages > x"] }], read)).toEqual([
      "The test is switched off: docs/pages > x",
    ]);
  });

  it("reports a route, a status and a member that no requirement names, and one that the service lost", () => {
    const without = requirements.filter(({ name }) => !/^GET \/job\/status|barcodes$/.test(name));
    expect(faultsOfRoutes(without)).toContain("No requirement names status GET /job/status/{guid} 404");
    expect(faultsOfRoutes(without)).toContain("No requirement names member POST /document/process/{guid} barcodes");
    const gone = { ...first, chapter: "Routes", kind: "route", name: "GET /gone" };
    expect(faultsOfRoutes([...requirements, gone])).toEqual(["The service has no route GET /gone"]);
    const late = { ...first, kind: "route", name: "GET /health", notBuilt: "health" };
    expect(faultsOfRoutes([...requirements, late])).toEqual([
      "Named as not built, but the service has it: route GET /health",
    ]);
  });

  it("reports a line that is no requirement by file and line", () => {
    expect(() => parseChapter("# A\n\nroute | GET /x", "a.txt")).toThrow("a.txt:3: a requirement has three columns");
    expect(() => parseChapter("# A\nfruit | x | y", "a.txt")).toThrow("a.txt:2: fruit is no kind of requirement");
    expect(() => parseChapter("# A\n+ e2e/x > y", "a.txt")).toThrow("a.txt:2: no requirement stands before this test");
  });
});
