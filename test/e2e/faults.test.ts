/** A disk that fills up, and file handles that run out, while the service works. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { form } from "../support/api.ts";
import { faultyPorts } from "../support/faulty-ports.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** A little longer than the pause before the first retries of a step. */
const FAULT_MS = 1_600;

const faults = faultyPorts();
let target: TestService;
beforeAll(async () => {
  target = await startTestService({ wrap: faults.wrap });
});
afterEach(() => faults.set(undefined));
afterAll(() => target.close());

describe.each([
  ["ENOSPC", 507, "InsufficientStorage", /no room left on its disk/, undefined],
  ["EMFILE", 503, "ServiceUnavailable", /no file handle free/, /./],
] as const)("a fault of the machine: %s", (code, status, error, message, calls) => {
  it(`is answered ${status} with a sentence, and logged by its code`, async () => {
    faults.set(code, calls);
    const refused = await target.api.post("/document/upload", { body: form("Total: 12.00 EUR") });
    faults.set(undefined);
    expect(refused).toMatchObject({ status, json: { error, message: expect.stringMatching(message) } });
    expect(refused.text).not.toContain("secret");
    expect(target.log()).toMatch(new RegExp(`"request failed".*"code":"${code}"`));
    await target.api.upload("Total: 12.00 EUR");
  });

  it("fails no job that is at work when it ends before the run's deadline", async () => {
    const guid = await target.api.upload("Total: 12.00 EUR");
    const command = { schema: { total: "number" } };
    expect((await target.api.post(`/document/process/${guid}`, { json: command })).status).toBe(200);
    const before = faults.failed();
    faults.set(code, calls);
    await sleep(FAULT_MS);
    faults.set(undefined);
    expect(faults.failed()).toBeGreaterThan(before);
    expect(await target.api.ended(guid)).toMatchObject({ status: "COMPLETED", error: null });
    expect((await target.api.get(`/job/result/${guid}`)).json).toEqual({ total: 12 });
  });
});

describe("a jump of the machine's clock", () => {
  it.each([7_200_000, -7_200_000])("of %i ms ends no run, and delays no dependent one", async (jump) => {
    const realNow = Date.now;
    const first = await target.api.upload("Total: 12.00 EUR");
    const second = await target.api.upload("Total: 13.00 EUR");
    const command = { schema: { total: "number" } };
    const dependent = `/document/process/${second}?dependsOn=${first}`;
    expect((await target.api.post(dependent, { json: command })).status).toBe(200);
    await target.api.post(`/document/process/${first}`, { json: command });
    vi.spyOn(Date, "now").mockImplementation(() => realNow() + jump);
    for (const guid of [first, second]) {
      expect(await target.api.ended(guid)).toMatchObject({ status: "COMPLETED", error: null });
    }
  });
});
