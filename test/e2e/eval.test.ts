/** A golden set measured by the command line, as a process, at a running service. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "../../bin/demo/invoice.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

const folder = mkdtempSync(join(tmpdir(), "sheaf-set-"));
let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
  const invoice = await drawInvoice();
  const json = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  writeFileSync(join(folder, "right.pdf"), invoice);
  json("right.expected.json", DEMO_TRUTH);
  // The expected values are wrong: a net total of another invoice, and no due date.
  writeFileSync(join(folder, "fault.pdf"), invoice);
  json("fault.expected.json", { ...DEMO_TRUTH, net_total: 500, due_date: null });
  writeFileSync(join(folder, "broken.docx"), "no document at all");
  json("broken.expected.json", { currency: "GBP" });
  json("schema.json", DEMO_SCHEMA);
  json("set.json", { groups: { right: "good", fault: "bad" }, rules: { "/seller": "exact" } });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await target.close();
});

/** Runs the command beside this process. */
function sheaf(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? "", SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one };
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../bin/sheaf.mjs"), ...args], {
    cwd: folder,
    env,
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.stderr += chunk;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...said })));
}

it("sheaf eval reports correct and wrong values with their places, and fails below its threshold", async () => {
  const files = ["--json", "out/report.json", "--markdown", "out/report.md", "--pictures", "out/worst"];
  const first = await sheaf(
    "eval",
    ".",
    ...files,
    "--threshold",
    "recall=0.95",
    "--threshold",
    "precision=0.5",
    "--delete",
  );
  expect(first.code, first.stderr).toBe(1);
  expect(first.stderr).toContain("recall of all fields is 0.889; 0.95 is asked for");
  const report = JSON.parse(readFileSync(join(folder, "out/report.json"), "utf8"));
  expect(report.statuses).toEqual({ COMPLETED: 2, REFUSED: 1 });
  expect(report.total).toMatchObject({ stated: 18, returned: 18, right: 16, wrong: 1, spurious: 1, missing: 1 });
  expect(report.groups.good.recall.share).toBe(1);
  const [worst, second, third] = report.worst;
  expect(worst).toMatchObject({ document: "fault", pointer: "/net_total", expected: 500, got: 431, verdict: "wrong" });
  expect(worst.place).toMatchObject({ pageNumber: 1, unit: "inch" });
  expect([second.pointer, second.verdict, third.document, third.verdict]).toEqual([
    "/due_date",
    "spurious",
    "broken",
    "missing",
  ]);
  const picture = await sharp(readFileSync(join(folder, "out/worst/fault-page-1.png"))).metadata();
  expect([picture.width, picture.height]).toEqual([1240, 1754]);
  expect(readFileSync(join(folder, "out/report.md"), "utf8")).toContain("- broken: REFUSED");
}, 90_000);
