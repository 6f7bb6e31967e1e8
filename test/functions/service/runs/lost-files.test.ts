/** Files of a step that a power failure took after the step's outcome was recorded. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { artifactKey } from "../../../../functions/service/runs/job-records.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { makeSteps } from "../../../../functions/steps/index.ts";
import { easyTasks, type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
let readings = 0;
beforeEach(() => {
  readings = 0;
  const read = () => {
    readings += 1;
    return easyTasks.read();
  };
  at = testPlatform({ read });
});
afterEach(() => at.close());

it("are made again when the run is repeated, and only they", async () => {
  const guid = await uploaded(at.org);
  const input = { organizationId: 1, ...(await openRun(withLostStarts(at.org), guid, commandOf())) };
  const steps = makeSteps(() => at.org);
  const context = { executionName: "x" };
  const first = await steps.recognize(input, context);
  expect(await steps.recognize(input, context)).toEqual(first);
  expect(readings, "a recorded step is not repeated").toBe(1);

  const layout = artifactKey(guid, input.run, "layout/ocr.json");
  await at.org.blobs.delete(layout);
  expect(await steps.recognize(input, context)).toEqual(first);
  expect(readings).toBe(2);
  expect(await at.org.blobs.isWhole(layout)).toBe(true);
});
