/** Asynchronous recognition: polls, failures between them, second rounds. */
import { afterAll, describe, expect, it } from "vitest";
import { JOB_SENTENCES, JobFailure, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { OcrLevel, OcrProgress } from "../../../../functions/ports/ocr.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { type Asked, bytes, ocrPage, pictureEngine, run, scans, USE, usage } from "../../../support/recognition.ts";

const platforms: TestPlatform[] = [];
afterAll(async () => {
  for (const at of platforms) await at.close();
});

/** A platform per test, so that all tests wait concurrently for polls, which are seconds apart. */
function opened(...given: Parameters<typeof testPlatform>): TestPlatform {
  const at = testPlatform(...given);
  platforms.push(at);
  return at;
}

/** A recognition service with one scripted answer a poll. */
function slowService(asked: Asked, looks: (OcrProgress | Error)[]) {
  const started: { level: OcrLevel; token: string; blobKey: string }[] = [];
  const cursors: (string | undefined)[] = [];
  const engine = pictureEngine(asked, {
    documents: {
      maxPageInches: 40,
      maxBytes: 1_000_000,
      maxPages: 100,
      async start(document) {
        started.push(document);
        return `id-${started.length}`;
      },
      async poll(_id, _frames, _limits, cursor) {
        cursors.push(cursor);
        const look = looks.shift();
        if (look === undefined) throw new Error("Nobody should look again");
        if (look instanceof Error) throw look;
        return look;
      },
    },
  });
  return { engine, started, cursors };
}

const done = (pages: number[], unread: number[] = []): OcrProgress => ({
  status: "done",
  pages: pages.map(ocrPage),
  unread,
  use: { ...USE, operation: "Read", pages: pages.length },
});

describe.concurrent("asynchronously recognised documents", () => {
  it("are polled by the machine, and arrive in parts under their own page numbers", async () => {
    const { asked, documents } = scans([3, 4, 8], 9);
    const { engine, started, cursors } = slowService(asked, [
      { status: "running" },
      { status: "reading", pages: [ocrPage(1), ocrPage(2)], cursor: "on" },
      done([3]),
    ]);
    const at = opened(documents, engine);
    const job = await run(at);
    expect(job).toMatchObject({ status: "COMPLETED", error: null });
    expect(asked.pages).toEqual([]);
    expect(asked.completed).toEqual([{ pages: [3, 4, 8], unread: [], level: "DEFAULT" }]);
    expect(cursors).toEqual([undefined, undefined, "on"]);
    expect(started).toHaveLength(1);
    expect(started[0]?.blobKey).toBe(`org/1/jobs/${job.guid}/1/ocr/default/pages.pdf`);
    expect(await usage(at)).toEqual({ "local:pdf-text": 6, "fake:Read": 1 });
  }, 30_000);

  it("are recognised within the step when they are short", async () => {
    const { asked, documents } = scans([4], 9);
    const { engine, started } = slowService(asked, []);
    const at = opened(documents, engine);
    expect((await run(at)).status).toBe("COMPLETED");
    expect(started).toEqual([]);
    expect(asked.pages).toEqual([4]);
  });

  it("are polled again after a transient failure; strips are joined, and unread pages are named", async () => {
    const { asked, documents } = scans([1, 2, 6], 6);
    const { engine } = slowService(asked, [new ServiceUnavailable("Too busy"), done([1, 2, 3], [4])]);
    const frame = { width: 3, height: 60 };
    const strip = (index: number) => ({ index, count: 2, page: frame, left: 0, top: 29.5 * index });
    const views = [1, 2, 2, 6].map((pageNumber, index) => ({
      pageNumber,
      frame: { width: 3, height: 30.5 },
      ...(pageNumber === 2 ? { strip: strip(index - 1) } : {}),
    }));
    const at = opened({ ...documents, picturesPdf: async () => ({ pdf: bytes({}), views }) }, engine);
    expect(await run(at)).toMatchObject({ status: "PARTIAL", error: "Page 6 could not be recognised" });
    expect(asked.completed).toEqual([{ pages: [1, 2], unread: [6], level: "DEFAULT" }]);
  }, 30_000);

  it("end 45 seconds before the run does, with the pages that arrived by then", async () => {
    const { asked, documents } = scans([3, 4, 8, 9], 9);
    const part: OcrProgress = { status: "reading", pages: [ocrPage(1), ocrPage(2)], cursor: "on", use: USE };
    const { engine } = slowService(asked, [part, { status: "running" }]);
    const { poll } = engine.documents ?? expect.fail("no documents");
    const at = opened(documents, {
      ...engine,
      documents: {
        ...(engine.documents ?? expect.fail("no documents")),
        poll(...given) {
          if (given[3] === "on") at.pass(256);
          return poll(...given);
        },
      },
    });
    const job = await run(at);
    expect(job).toMatchObject({ status: "PARTIAL", ocrPages: 2 });
    expect(job.error).toMatch(/^Pages 8–9 were not recognised: text recognition stops 45 seconds before/);
    expect(asked.completed).toEqual([{ pages: [3, 4], unread: [], late: [8, 9], level: "DEFAULT" }]);
  }, 30_000);

  it("end in time though the recognition service never ends, or fails then", async () => {
    const { asked, documents } = scans([1, 2], 9);
    const { engine } = slowService(asked, [new ServiceUnavailable("Too busy")]);
    const { poll } = engine.documents ?? expect.fail("no documents");
    const at = opened(documents, {
      ...engine,
      documents: {
        ...(engine.documents ?? expect.fail("no documents")),
        poll(...given) {
          at.pass(256);
          return poll(...given);
        },
      },
    });
    expect(await run(at)).toMatchObject({ status: "PARTIAL", ocrPages: 0 });
    expect(asked.completed).toEqual([{ pages: [], unread: [], late: [1, 2], level: "DEFAULT" }]);
  }, 30_000);

  it("name the pages that there was no time to draw, of one drawing however often it is tried", async () => {
    const { asked, documents } = scans([1, 2, 6], 6);
    const { engine } = slowService(asked, [done([1, 2])]);
    let drawings = 0;
    let failures = 1;
    const at = opened(
      {
        ...documents,
        async picturesPdf({ options: { pageNumbers, drawingTime } }) {
          drawings += 1;
          expect(drawingTime).toBeGreaterThan(100_000);
          expect(drawingTime).toBeLessThanOrEqual(127_500);
          const views = pageNumbers.slice(0, -1).map((pageNumber) => ({ pageNumber, frame: { width: 3, height: 5 } }));
          return { pdf: bytes({}), views };
        },
      },
      {
        ...engine,
        documents: {
          ...(engine.documents ?? expect.fail("no documents")),
          async start(document, limits) {
            if (failures-- > 0) throw new ServiceUnavailable("Too busy");
            return engine.documents?.start(document, limits) ?? expect.fail("no documents");
          },
        },
      },
    );
    const job = await run(at);
    expect(job.error).toMatch(/^Page 6 was not recognised: /);
    expect(asked.completed).toEqual([{ pages: [1, 2], unread: [], late: [6], level: "DEFAULT" }]);
    expect(drawings).toBe(1);
  }, 30_000);

  it("have their poor pages recognised again in the mode AUTO", async () => {
    const { asked, documents } = scans([1, 2, 6], 6, [2, 6]);
    const { engine, started } = slowService(asked, [done([1, 2, 3]), done([1, 2])]);
    const at = opened(documents, engine);
    expect((await run(at, "AUTO")).status).toBe("COMPLETED");
    expect(asked.completed.map(({ pages, level }) => [level, pages])).toEqual([
      ["DEFAULT", [1, 2, 6]],
      ["PREMIUM", [2, 6]],
    ]);
    expect(started.map(({ level }) => level)).toEqual(["DEFAULT", "PREMIUM"]);
    expect(new Set(started.map(({ token }) => token)).size).toBe(2);
    expect(await usage(at)).toEqual({ "local:pdf-text": 3, "fake:Read": 5 });
  }, 30_000);

  it("fail with the recognition service's sentence", async () => {
    const { asked, documents } = scans([1, 2], 2);
    const { engine } = slowService(asked, [new JobFailure(JOB_SENTENCES.noText)]);
    const at = opened(documents, engine);
    expect(await run(at)).toMatchObject({ status: "FAILED", error: JOB_SENTENCES.noText });
  }, 30_000);
});
