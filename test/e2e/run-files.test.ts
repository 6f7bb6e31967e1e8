/** The files of a run of a pipeline, in the file store. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import type { Blobs } from "../../functions/ports/blobs.ts";
import { router } from "../support/router.ts";
import { startTestService, type TestService } from "../support/service.ts";

const written = new Set<string>();
/** Notes the keys of all blobs that are put. */
const noted = (blobs: Blobs): Blobs =>
  new Proxy(blobs, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        if (name === "put") written.add(String(given[0]));
        return Reflect.apply(member, target, given);
      };
    },
  });

let target: TestService;
beforeAll(async () => {
  target = await startTestService({ wrap: ({ records, blobs }) => ({ records, blobs: noted(blobs) }) });
});
afterAll(() => target.close());

/** Names of a run's files below the run. */
async function filesOf(execution: object): Promise<string[]> {
  const command = { extractionMode: "PIPELINE", pipeline: router(execution), sourceLocations: true };
  const { guid, status } = await target.api.processed(await drawInvoice(), command);
  expect(status).toBe("COMPLETED");
  const run = `/jobs/${guid}/1/`;
  const own = [...written].filter((key) => key.includes(run));
  return own.map((key) => key.slice(key.indexOf(run) + run.length)).sort();
}

it("A pipeline has the same files inline and on queues: text, quality, definition, machine, nodes, result", async () => {
  const inline = await filesOf({});
  expect(inline).toEqual(
    expect.arrayContaining([
      "layout/ocr.json",
      "layout/ocr-quality.json",
      "pipeline/definition.json",
      "pipeline/machine.asl.json",
      "pipeline/nodes/classify/result.json",
      "pipeline/nodes/extract_invoice/result.json",
      "pipeline/nodes/extract_invoice/result.sources.json",
      "result.json",
      "result.sources.json",
    ]),
  );
  expect(await filesOf({ execution: { mode: "queue" } })).toEqual(inline);
});
