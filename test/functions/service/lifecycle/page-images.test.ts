/** Pictures of pages that cannot be drawn. */
import { afterEach, expect, it } from "vitest";
import { JOB_SENTENCES, JobFailure, UnprocessableEntity } from "../../../../functions/ports/errors.ts";
import { findPageImage } from "../../../../functions/service/lifecycle/views/page-images.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
afterEach(() => at.close());

it("a page that cannot be drawn is refused with the reason, and leaves no picture", async () => {
  at = testPlatform({
    async pageImage() {
      throw new JobFailure(JOB_SENTENCES.corrupted);
    },
  });
  const guid = await uploaded(at.org, "x", "application/pdf");
  const drawn = findPageImage(at.org, guid, 0);
  await expect(drawn).rejects.toThrow(UnprocessableEntity);
  await expect(drawn).rejects.toThrow(/^The page could not be drawn: .*corrupted$/);
  expect(await at.org.blobs.head(`jobs/${guid}/pages/1.png`)).toBeUndefined();
});
