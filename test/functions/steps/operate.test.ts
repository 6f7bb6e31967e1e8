/** The step of an operation that is delivered again: its work done, its outcome not recorded. */
import { expect, it } from "vitest";
import { ServiceUnavailable } from "../../../functions/ports/errors.ts";
import { PDF } from "../../../functions/ports/media-types.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { startOperation } from "../../../functions/service/operations/start-operation.ts";
import { createJob } from "../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../functions/service/runs/open-run.ts";
import { withMethods } from "../../support/changed.ts";
import { flatForm } from "../../support/flat-form.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import type { TestPlatform } from "../../support/platform.ts";
import { commandOf } from "../../support/runs.ts";

/** The step's process dies once, after its work and before the record of its outcome. @returns how often it was lost */
function losingFirstOutcome({ platform }: TestPlatform): () => number {
  const { records } = platform;
  let lost = 0;
  const transact: typeof records.transact = async (operations, options) => {
    const isOutcome = operations.some((one) => one.kind === "put" && one.key.sort.endsWith("/operate"));
    if (isOutcome && lost === 0) {
      lost += 1;
      throw new ServiceUnavailable("The store did not answer; try again");
    }
    await records.transact(operations, options);
  };
  Object.assign(platform, { records: withMethods(records, { transact }) });
  return () => lost;
}

it("pdf-acroform makes the same files when its step is delivered again", async () => {
  const at = modelPlatform();
  try {
    const { org } = at;
    const { guid: parent } = await createJob(org, { bytes: await flatForm(), mimeType: PDF, fileName: null });
    await openRun(org, parent, commandOf({ mimeType: PDF }));
    expect(await waitForEnd(org, parent, 20)).toMatchObject({ status: "COMPLETED" });
    const lost = losingFirstOutcome(at);
    const written: { key: string; bytes: Buffer }[] = [];
    const { blobs } = at.platform;
    const put: typeof blobs.put = async (key, bytes, options) => {
      if (key.includes("/operations/") && bytes instanceof Uint8Array) written.push({ key, bytes: Buffer.from(bytes) });
      return blobs.put(key, bytes, options);
    };
    Object.assign(at.platform, { blobs: withMethods(blobs, { put }) });
    const { guid } = await startOperation(org, { parent, type: "pdf-acroform", parameters: {} });
    expect(await waitForEnd(org, guid, 20)).toMatchObject({ status: "COMPLETED", error: null });
    expect(lost()).toBe(1);
    const byName = Map.groupBy(written, ({ key }) => key.slice(key.lastIndexOf("/") + 1));
    // The places are sought once; the files made of them are written again.
    expect(Object.fromEntries([...byName].map(([name, { length }]) => [name, length]))).toEqual({
      "found-definitions.json": 1,
      "form.pdf": 2,
      "definitions.json": 2,
      "acroform.json": 2,
      "result.json": 2,
    });
    for (const [first, ...more] of byName.values()) for (const again of more) expect(again.bytes).toEqual(first?.bytes);
  } finally {
    await at.close();
  }
});
