/** The API against its own OpenAPI document, with requests by a tool that knows only the document. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPLAINED_REJECTIONS, type FuzzOptions, fuzz, REQUIREMENT } from "../../bench/fuzz/schemathesis.ts";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { pythonIfAny } from "../support/python.ts";
import { startTestService, type TestService } from "../support/service.ts";

const python = await pythonIfAny("schemathesis", [REQUIREMENT], "schemathesis");

/** `npm run bench -- fuzz` sends more of both kinds. */
const RUNS: readonly FuzzOptions[] = [
  { mode: "plain", examples: 40 },
  { mode: "stateful", examples: 40, seconds: 60 },
];
const RUN_TIMEOUT_MS = 430_000;

let target: TestService;
beforeAll(async () => {
  target = await startTestService();
});
afterAll(() => target.close());

describe("schemathesis", () => {
  it.skipIf(python === undefined).each(RUNS)(
    "finds no server error, no undocumented answer, and no accepted invalid request: $mode",
    { timeout: RUN_TIMEOUT_MS },
    async (options) => {
      // A finished job to read, and another one to delete.
      const { guid } = await target.api.processed(await drawInvoice(), { sourceLocations: true });
      const deletable = await target.api.upload("Delete me.");
      const at = { url: target.url, key: target.keys.one, guid, deletable };
      const { sent, tested, failures, text } = await fuzz(python ?? "", at, options);
      expect(failures, text.slice(Math.max(0, text.indexOf("= FAILURES =")))).toEqual([]);
      expect(sent).toBeGreaterThan(tested);
      console.log(`${options.mode}: ${sent} requests to ${tested} operations`);
    },
  );

  it("may meet refusals of requests that fit the document for five reasons at most", () => {
    const reasons = EXPLAINED_REJECTIONS.map(({ why }) => why);
    expect(reasons.length).toBeLessThanOrEqual(5);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{30,}/);
  });
});
