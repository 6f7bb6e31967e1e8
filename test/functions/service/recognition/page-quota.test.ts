/** Runs under a page quota: pages are charged when recognition is decided, and a spent quota has a sentence. */
import { afterEach, describe, expect, it } from "vitest";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { OcrEngine } from "../../../../functions/ports/ocr.ts";
import { bindOrganization } from "../../../../functions/service/organizations/organization.ts";
import { mayCharge } from "../../../../functions/service/organizations/page-quota.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { pictureEngine, run, scans, USE } from "../../../support/recognition.ts";

let at: TestPlatform;
afterEach(() => at.close());

function withQuota(pageQuota: number, ...given: Parameters<typeof testPlatform>): void {
  at = testPlatform(...given);
  // The steps bind their organization to the same configuration.
  at.platform.config = { ...at.platform.config, pageQuota };
  at = { ...at, org: bindOrganization(at.platform, 1) };
}
/** The pages that are left of a quota, by charging one after the other. */
async function pagesLeft(): Promise<number> {
  let left = 0;
  while (await mayCharge(at.org, 1, `left/${left}`)) left += 1;
  return left;
}

describe("a page quota", () => {
  it("is charged for the pages sent to recognition, not for those with a text layer", async () => {
    const { asked, documents } = scans([2, 5, 7], 9);
    withQuota(10, documents, pictureEngine(asked));
    expect((await run(at)).status).toBe("COMPLETED");
    expect(await pagesLeft()).toBe(7);
  });

  it("fails a run that needs more pages than are left, before any is sent", async () => {
    const { asked, documents } = scans([1, 2, 3], 3);
    withQuota(5, documents, pictureEngine(asked));
    expect((await run(at)).status).toBe("COMPLETED");
    const second = await run(at);
    expect(second).toMatchObject({ status: "FAILED" });
    expect(second.error).toMatch(/^Processing failed: Text recognition needs 3 pages of the document, and 2 of the 5/);
    expect(asked.pages).toHaveLength(3);
    at.pass(86_400);
    expect((await run(at)).status).toBe("COMPLETED");
  });

  it("is charged once for a step that is tried again", async () => {
    const { asked, documents } = scans([1, 2, 3], 3);
    let failures = 1;
    const engine = pictureEngine(asked);
    withQuota(3, documents, {
      ...engine,
      async recognize(image, level, limits) {
        if (image.pageNumber === 3 && failures-- > 0) throw new ServiceUnavailable("Too busy");
        return engine.recognize(image, level, limits);
      },
    });
    expect((await run(at)).status).toBe("COMPLETED");
    expect(await pagesLeft()).toBe(0);
  });

  it("gets back the pages that there was no time to recognise, once", async () => {
    const { asked, documents } = scans([1, 2, 3], 3);
    const engine = pictureEngine(asked, { parallel: 1 });
    let failures = 1;
    const complete: typeof documents.complete = async (payload) => {
      if (failures-- > 0) throw new ServiceUnavailable("Too busy");
      return documents.complete(payload);
    };
    withQuota(
      10,
      { ...documents, complete },
      {
        ...engine,
        recognize(...given) {
          at.pass(255);
          return engine.recognize(...given);
        },
      },
    );
    expect((await run(at)).status).toBe("PARTIAL");
    expect(await pagesLeft()).toBe(9);
  });

  it("leaves poor pages at their first level when it has none for a second", async () => {
    const { asked, documents } = scans([1, 2, 3], 3, [2]);
    withQuota(3, documents, pictureEngine(asked));
    expect((await run(at, "AUTO")).status).toBe("COMPLETED");
    expect(asked.completed.map(({ level }) => level)).toEqual(["DEFAULT"]);
  });

  it("is charged before an asynchronous recognition starts", async () => {
    const { asked, documents } = scans([1, 2, 3], 3);
    let starts = 0;
    const service: OcrEngine["documents"] = {
      maxPageInches: 40,
      maxBytes: 1_000_000,
      maxPages: 100,
      start: async () => `id-${++starts}`,
      poll: async () => ({ status: "done", pages: [], unread: [], use: { ...USE, operation: "Read", pages: 3 } }),
    };
    withQuota(2, documents, pictureEngine(asked, { documents: service }));
    expect((await run(at)).error).toMatch(/needs 3 pages of the document, and 2 of the 2/);
    expect(starts).toBe(0);
    expect(await pagesLeft()).toBe(2);
  });

  it("refuses a PREMIUM run when it is spent, and admits documents that may need no page", async () => {
    const { asked, documents } = scans([1, 2], 2);
    withQuota(2, documents, pictureEngine(asked));
    expect((await run(at)).status).toBe("COMPLETED");
    await expect(run(at, "PREMIUM")).rejects.toThrow("has used the 2 pages that it may have recognised a day");
    expect((await run(at)).status).toBe("FAILED");
  });
});
