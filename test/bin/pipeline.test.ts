/** `sheaf pipeline` with the real compiler and without a service. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as pipeline from "../../bin/pipeline.ts";
import { sheaf, type World } from "../client/cli/memory-io.ts";

const golden = (name: string): string => readFileSync(join(import.meta.dirname, "../golden/pipelines", name), "utf8");

const FILES = {
  "router.json": golden("router.json"),
  "n-shape.json": golden("n-shape.json"),
  "pool.json": golden("pool-of-chains.json"),
  "odd.json": '{"nodes":[{"id":"f","type":"final","output":1,"colour":"red"}]}',
  "wrong.json":
    '{"nodes":[{"id":"a","type":"extract","dependsOn":["z"],"when":{"gt":[1,2]}},{"id":"f","type":"final","output":"$ocr.content"}]}',
  "schema.json":
    '{"nodes":[{"id":"a","type":"extract","schema":{"type":"nothing"}},{"id":"t","type":"transform","transform":"calculate","input":"a","config":{"formulas":{"sum":"1 +"}}},{"id":"f","type":"final","output":1}]}',
  "text.json": "nodes:\n- a",
};
const world: World = {
  files: FILES,
  fetch: () => Promise.reject(new Error("No service is asked")),
};
const run = (...argv: string[]) => sheaf(["pipeline", ...argv], world, [pipeline]);

describe("sheaf pipeline check", () => {
  it("reports a valid definition", async () => {
    expect(await run("check", "router.json")).toMatchObject({
      exitCode: 0,
      stdout: "The pipeline is valid: 6 nodes, at most 2 at once\n",
      stderr: "",
    });
  });

  it("prints warnings", async () => {
    const { exitCode, stdout } = await run("check", "odd.json");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'warning: The member "colour" at /nodes/0 is unknown and ignored\nThe pipeline is valid: 1 node, at most 10 at once\n',
    );
    expect(JSON.parse((await run("check", "odd.json", "--json")).stdout)).toEqual({
      valid: true,
      errors: [],
      warnings: ['The member "colour" at /nodes/0 is unknown and ignored'],
    });
  });

  it("prints every fault with its code and place", async () => {
    const { exitCode, stdout, stderr } = await run("check", "wrong.json");
    expect([exitCode, stderr]).toEqual([1, ""]);
    expect(stdout.split("\n")).toEqual([
      'invalid-condition at /nodes/0/when: A condition has one of eq, ne, exists, and, or, not; "gt" is none of them',
      'unknown-node at /nodes/0/dependsOn/0: There is no node with the id "z"',
      "",
    ]);
    const report = JSON.parse((await run("check", "wrong.json", "--json")).stdout);
    expect(report).toMatchObject({
      valid: false,
      errors: [{ code: "invalid-condition" }, { path: "/nodes/0/dependsOn/0" }],
    });
  });

  it("checks schemas and formulas like the service", async () => {
    const { stdout } = await run("check", "schema.json");
    expect(stdout).toMatch(
      /^invalid-schema at \/nodes\/0\/schema: .+\ninvalid-formula at \/nodes\/1\/config\/formulas\/sum: .+\n$/,
    );
  });

  it("refuses a file that it cannot read", async () => {
    const missing = await run("check", "none.json");
    expect([missing.exitCode, missing.stdout]).toEqual([2, ""]);
    const text = await run("check", "text.json");
    expect([text.exitCode, text.stdout]).toEqual([2, ""]);
    expect(text.stderr).toMatch(/^error: text\.json is not valid JSON: [^\n]+\n$/);
  });
});

describe("sheaf pipeline compile", () => {
  it("prints the state machine", async () => {
    const { exitCode, stdout } = await run("compile", "router.json");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(golden("router.asl.json"));
    expect(JSON.parse((await run("compile", "odd.json", "--json")).stdout)).toMatchObject({
      valid: true,
      machine: { StartAt: "$recognize" },
      warnings: [expect.stringContaining("colour")],
    });
  });

  it("prints only the faults of a faulty definition", async () => {
    const { exitCode, stdout, stderr } = await run("compile", "wrong.json");
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("unknown-node at /nodes/0/dependsOn/0");
    expect(JSON.parse((await run("compile", "wrong.json", "--json")).stdout)).toMatchObject({ valid: false });
  });
});

describe("sheaf pipeline graph", () => {
  it("draws the dependencies and the needless waits", async () => {
    const { exitCode, stdout } = await run("graph", "n-shape.json");
    expect(exitCode).toBe(0);
    expect(stdout.match(/```mermaid\nflowchart TD\n/g)).toHaveLength(2);
    for (const edge of ["n0 --> n2", "n1 --> n2", "n1 --> n3"]) expect(stdout).toContain(`  ${edge}\n`);
    expect(stdout).toContain('n4(["end<br/>final"])');
    expect(stdout).toContain("n0 -. waits .-> n3");
    expect(stdout).toContain("- d waits for a, on which it does not depend\n");
  });

  it("draws limits, conditions, and candidates that skip later ones", async () => {
    const { plan, waits } = JSON.parse((await run("graph", "pool.json", "--json")).stdout);
    expect(plan).toContain('["beside each other, 2 at a time"]');
    expect(plan).toContain('["one after the other"]');
    expect(plan).toContain('n5["c2 ?<br/>extract"]');
    expect(waits).toEqual([]);
    expect(JSON.parse((await run("graph", "router.json", "--json")).stdout).graph).toContain("n3 -. or .-> n4");
    expect((await run("graph", "wrong.json")).exitCode).toBe(1);
  });
});
