/** Readiness of the service as its callers see it: a document process is warm, or nobody is told that it is. */
import { afterEach, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService | undefined;
afterEach(async () => {
  await target?.close();
  target = undefined;
});

it("a service that has started has a document process that has read its test document", async () => {
  target = await startTestService({ documentProcesses: 1, env: { SHEAF_OCR_ENGINE: "off" } });
  const metrics = await (await fetch(`${target.url}/metrics`)).text();
  expect(metrics).toMatch(/^sheaf_worker_events_total\{kind="start",reason=""\} [1-9]/m);
  expect((await fetch(`${target.url}/health`)).status).toBe(200);
});

it("a service whose document processes do not start answers, and says that it is not ready", async () => {
  target = await startTestService({ workerModule: new URL("../support/throw-at-start.ts", import.meta.url) });
  const health = await fetch(`${target.url}/health`);
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({
    message: "Documents cannot be processed now: the document process does not start",
  });
  expect((await fetch(`${target.url}/openapi.json`)).status).toBe(200);
  expect(target.log()).toContain("no document process starts");
});
