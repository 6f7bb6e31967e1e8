/** Tables with ruling lines on real scans, as the service reads them on one machine. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no table of a real scan was read`);

describe.skipIf(!present)("a scanned form", () => {
  let target: TestService;
  beforeAll(async () => {
    target = await startTestService({ jobTimeoutSeconds: 120 });
  });
  afterAll(() => target.close());

  it("has its table by the ruling lines, and the white text on its blue bar", async () => {
    const bytes = readFileSync(join(CORPUS, "scans/employment-application.png"));
    const file = { name: "form.png", type: "image/png" };
    const guid = await target.api.upload(bytes, file);
    expect((await target.api.post(`/document/ocr/${guid}?format=markdown`, { json: {} })).status).toBe(200);
    expect(await target.api.ended(guid)).toMatchObject({ status: "COMPLETED" });
    const { text } = await target.api.get(`/job/result/${guid}`);
    expect(text).toContain("Previous Employment History");
    const rows = text.split("\n").filter((line: string) => line.startsWith("|"));
    expect(rows[0]).toBe("| Start Date | End Date | Employer Name | Position Held | Reason for leaving |");
    expect(rows.slice(2)).toEqual([
      "| 1/15/2009 | 6/30/2011 | Any Company | Assistant Baker | Family relocated |",
      "| 7/1/2011 | 8/10/2013 | Best Corp. | Baker | Better opportunity |",
      "| 8/15/2013 | present | Example Corp. | Head Baker | N/A, current<br>employer |",
    ]);
  });
});
