import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SheafClient, SheafUnreachable, SheafWaitTimeout } from "../../client/index.ts";
import { cut, FakeService, KEY, refuse } from "./fake-service.ts";

const service = new FakeService();
let client: SheafClient;

beforeAll(() => service.start());
afterAll(() => service.stop());
beforeEach(() => {
  service.requests.length = 0;
  service.faults.length = 0;
  Object.assign(service.ending, { workMs: 30, status: "COMPLETED", error: null });
  service.longPoll = true;
  client = new SheafClient({ apiUrl: service.url, token: KEY });
});

const startJob = async (): Promise<string> => {
  const { guid } = service.addJob();
  await client.process(guid);
  return guid;
};

test("wait needs only one long call, whose answer ends it", async () => {
  service.ending.workMs = 300;
  const guid = await startJob();
  const begun = performance.now();
  expect(await client.wait(guid)).toMatchObject({ guid, status: "COMPLETED" });
  expect(performance.now() - begun).toBeLessThan(900);
  expect(service.seen("GET", /status/).map((one) => one.query.get("waitSeconds"))).toEqual(["20"]);
});

test.each(["FAILED", "PARTIAL", "CANCELLED"] as const)("wait returns a job that ends %s", async (status) => {
  Object.assign(service.ending, { status, error: "Processing failed: Text extraction failed" });
  const job = await client.wait(await startJob());
  expect(job).toMatchObject({ status, error: "Processing failed: Text extraction failed" });
});

test("wait slows its calls down when the service does not hold them open", async () => {
  service.longPoll = false;
  service.ending.workMs = 1_000;
  await client.wait(await startJob());
  const asked = service.seen("GET", /status/).length;
  expect(asked).toBeGreaterThan(2);
  expect(asked).toBeLessThan(7);
});

test("wait reports progress at once and with every status, and polls every two seconds for it", async () => {
  service.longPoll = false;
  service.ending.workMs = 300;
  const told: [string, number][] = [];
  await client.wait(await startJob(), { onProgress: (job, seconds) => told.push([job.status, seconds]) });
  expect(told[0]?.[0]).toBe("PROCESSING");
  expect(told.at(-1)?.[0]).toBe("COMPLETED");
  expect(told.at(-1)?.[1]).toBeGreaterThan(0.2);
  const waits = service.seen("GET", /status/).map((one) => one.query.get("waitSeconds"));
  expect(waits.slice(0, 2)).toEqual([null, "2"]);
});

test("wait throws after its timeout, and the job goes on", async () => {
  service.ending.workMs = 60_000;
  const guid = await startJob();
  const error = await client.wait(guid, { timeoutSeconds: 1.2 }).catch((reason) => reason);
  expect(error).toBeInstanceOf(SheafWaitTimeout);
  expect(error).toMatchObject({ guid, job: { status: "PROCESSING" } });
  expect(error.message).toBe(`Job ${guid} was still PROCESSING after 1.2 s`);
  expect(service.seen("GET", /status/)[0]?.query.get("waitSeconds")).toBe("1");
  await expect(client.wait(guid, { timeoutSeconds: 0 })).rejects.toBeInstanceOf(SheafWaitTimeout);
});

test("wait does not hang with a service that hangs", async () => {
  const guid = await startJob();
  service.failNext("GET", /status/, () => true);
  const begun = performance.now();
  const error = await client.wait(guid, { timeoutSeconds: 0.2 }).catch((reason) => reason);
  expect(error).toBeInstanceOf(SheafWaitTimeout);
  expect(error).toMatchObject({ job: null });
  expect(performance.now() - begun).toBeLessThan(2_500);
});

test("wait shortens a poll to the service's maximum", async () => {
  await client.wait(await startJob(), { pollSeconds: 600 });
  expect(service.seen("GET", /status/)[0]?.query.get("waitSeconds")).toBe("25");
});

test("wait survives a restart of the service, but not its end", async () => {
  service.ending.workMs = 100;
  const guid = await startJob();
  service.failNext(
    "GET",
    /status/,
    cut,
    refuse(503, "ServiceUnavailable", "Starting", { headers: { "retry-after": "0" } }),
  );
  expect(await client.wait(guid)).toMatchObject({ status: "COMPLETED" });
  service.failNext("GET", /status/, cut);
  const impatient = new SheafClient({ apiUrl: service.url, token: KEY, retries: 0 });
  await expect(impatient.wait(guid)).rejects.toBeInstanceOf(SheafUnreachable);
});

test("wait ends with the reason of the caller's signal", async () => {
  service.ending.workMs = 60_000;
  const guid = await startJob();
  const stop = new AbortController();
  const reason = new Error("enough");
  setTimeout(() => stop.abort(reason), 100);
  await expect(client.wait(guid, { signal: stop.signal })).rejects.toBe(reason);
});
