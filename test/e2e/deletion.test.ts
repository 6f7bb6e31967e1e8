/** A deletion leaves nothing of a job on this machine, soon after its answer and after a restart as well. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let dataDir: string;
let target: TestService;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "sheaf-deletion-"));
  target = await startTestService({ dataDir });
});
afterEach(async () => {
  await target.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** How many files the store keeps. */
function files(): number {
  const folder = join(dataDir, "blobs");
  if (!existsSync(folder)) return 0;
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  } catch {
    // A folder went while it was looked into: they are being deleted.
    return Number.POSITIVE_INFINITY;
  }
}

async function untilEmpty(): Promise<void> {
  for (const end = performance.now() + 5000; files() > 0; ) {
    if (performance.now() > end) throw new Error(`${files()} files are still there`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

it("a deletion removes a job's files after the answer", async () => {
  const { guid } = await target.api.processed("Total: 12.00 EUR", {});
  expect(files()).toBeGreaterThan(2);
  expect((await target.api.delete(`/job/${guid}`)).status).toBe(200);
  await untilEmpty();
});

it("a deletion is completed by a restart when the service stopped right after the answer", async () => {
  const guids = await Promise.all(Array.from({ length: 20 }, (_, index) => target.api.upload(`Page ${index}`)));
  await Promise.all(guids.map((guid) => target.api.delete(`/job/${guid}`)));
  await target.close();
  target = await startTestService({ dataDir });
  await untilEmpty();
  expect((await target.api.get("/job/list")).json.totalSize).toBe(0);
});

it("a deletion hides the job's operations with its answer", async () => {
  const { api } = target;
  const { guid } = await api.processed("Total: 12.00 EUR", { schema: { total: "number" } });
  const started = await api.post("/operation", { json: { jobGuid: guid, type: "error-analysis" } });
  const operation: string = started.json.jobGuid;
  expect((await api.get(`/job/status/${operation}?waitSeconds=20`)).json.status).toBe("COMPLETED");
  expect((await api.delete(`/job/${guid}`)).status).toBe(200);
  const paths = [
    `/operation/${guid}`,
    `/job/status/${operation}`,
    `/job/result/${operation}`,
    `/job/trace/${operation}`,
  ];
  for (const path of paths) expect((await api.get(path)).status, path).toBe(404);
});
