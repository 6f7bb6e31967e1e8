/** Pages that recognition had no time for, in every kind of run: the result stays, and the run says what it lacks. */
import { afterEach, describe, expect, it } from "vitest";
import { openBatchRun } from "../../../../functions/service/batches/batch-runs.ts";
import { loadDocumentOutcomes } from "../../../../functions/service/batches/document-outcomes.ts";
import { viewJob } from "../../../../functions/service/lifecycle/views/job-view.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { startPipeline } from "../../../support/pipeline-run.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { pictureEngine, threeScans } from "../../../support/recognition.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";
import { batchOf, listOf } from "../batches/support.ts";

let at: TestPlatform;
afterEach(() => at.close());

const SENTENCE = "Pages 2–3 were not recognised: text recognition stops 45 seconds before the limit of 300 seconds";
const FAULT = { pointer: "", message: SENTENCE };

/** A platform on which the time for recognition is over after the first of three pages. */
function slowPlatform(): void {
  const [documents] = threeScans();
  const engine = pictureEngine({ pages: [], completed: [] }, { parallel: 1 });
  at = testPlatform(documents, {
    ...engine,
    recognize(...given) {
      at.pass(255);
      return given[0].pageNumber === 1 ? engine.recognize(...given) : Promise.reject(new Error("There is no time"));
    },
  });
}

const ended = async (guid: string) => {
  await waitForEnd(at.org, guid, 1000);
  return viewJob(at.org, (await loadJob(at.org, guid)).value);
};

describe("a run with pages that there was no time to recognise", () => {
  it.each([
    ["of text", commandOf({ mode: "OCR" })],
    ["of data", commandOf()],
  ])("%s is PARTIAL, with its result", async (_name, command) => {
    slowPlatform();
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, command);
    expect(await ended(guid)).toMatchObject({
      status: "PARTIAL",
      error: SENTENCE,
      validationErrors: [FAULT],
      usage: { ocrPages: 1 },
    });
    expect((await loadJob(at.org, guid)).value.runs[0]?.resultKey).toBeDefined();
  });

  it("of a pipeline is PARTIAL, and so is its recognition", async () => {
    slowPlatform();
    const nodes = [{ id: "end", type: "final", output: "$document.fileName" }];
    const guid = await startPipeline(at, { bytes: Buffer.from("x"), mimeType: "text/plain" }, { nodes });
    expect(await ended(guid)).toMatchObject({
      status: "PARTIAL",
      error: SENTENCE,
      validationErrors: [FAULT],
      pipeline: { ocr: { status: "PARTIAL" }, nodes: [{ id: "end", status: "COMPLETED" }] },
    });
  });

  it("of a batch's document is PARTIAL there, and the batch has its data", async () => {
    slowPlatform();
    const guid = await batchOf(at.org, ["a"]);
    await openBatchRun(at.org, guid, commandOf({ mimeType: "" }), {});
    expect(await ended(guid)).toMatchObject({ status: "COMPLETED", usage: { ocrPages: 1 } });
    expect(await listOf(at.org, guid)).toEqual([{ a: 1 }]);
    for await (const document of loadDocumentOutcomes(at.org, guid, 1)) {
      expect(document).toMatchObject({ status: "PARTIAL", error: SENTENCE });
    }
  });
});
