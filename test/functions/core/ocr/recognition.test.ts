/** Recognition within runs: pages asked for once, services that nobody waits for, crashes between looks. */
import { afterEach, describe, expect, it } from "vitest";
import { JOB_SENTENCES, JobFailure, ServiceUnavailable } from "../../../../functions/core/errors.ts";
import type { RunCommand } from "../../../../functions/core/jobs/command.ts";
import { createJob, loadJob } from "../../../../functions/core/jobs/jobs.ts";
import type { JobRecord, UsageEvent } from "../../../../functions/core/jobs/model.ts";
import { openRun } from "../../../../functions/core/jobs/runs.ts";
import { waitForEnd } from "../../../../functions/core/jobs/wait.ts";
import type { OcrEngine, OcrLevel, OcrPage, OcrProgress } from "../../../../functions/core/ocr/ports.ts";
import type { DocumentEngine, OcrMode, Reading } from "../../../../functions/core/ports.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

const POLL = { timeout: 15_000 };

let at: TestPlatform;
afterEach(() => at.close());

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const ocrPage = (number: number): OcrPage => ({
  page: { number, width: 8.5, height: 11, unit: "inch", rotation: 0, blocks: [] },
  angle: 0,
  roles: [],
  tables: [],
  fields: [],
});

const reading = (pending: number[], pageCount: number): Reading => ({
  layout: bytes({}),
  quality: bytes({}),
  facts: { provider: "pdf-text", pageCount, wordCount: 5, characterCount: 20 },
  pending,
});

interface Asked {
  pages: number[];
  completed: { pages: number[]; unread: number[]; level: OcrLevel }[];
}

/** Documents whose pages `pending` have no text, of `pageCount`; `poor` come out poor at the first level. */
function scans(pending: number[], pageCount: number, poor: number[] = []) {
  const asked: Asked = { pages: [], completed: [] };
  const documents: Partial<DocumentEngine> = {
    read: async () => reading(pending, pageCount),
    async complete(_reading, { pages, unread, level, ocr }) {
      asked.completed.push({ pages: pages.map(({ page }) => page.number), unread, level });
      return reading(ocr === "AUTO" && level !== "PREMIUM" ? poor : [], pageCount);
    },
  };
  return { asked, documents };
}

const USE = { provider: "fake", operation: "Look", features: [] };

function pictureEngine(asked: Asked, change: Partial<OcrEngine> = {}): OcrEngine {
  return {
    name: "fake",
    maxImageBytes: 1_000_000,
    maxSide: 10_000,
    analysis: false,
    parallel: 2,
    async recognize({ pageNumber }) {
      asked.pages.push(pageNumber);
      return { page: ocrPage(pageNumber), use: { ...USE, pages: 1 } };
    },
    ...change,
  };
}

async function run(ocr: OcrMode = "DEFAULT"): Promise<JobRecord> {
  const { org } = at;
  const { guid } = await createJob(org, { bytes: Buffer.from("x"), mimeType: "application/pdf", fileName: null });
  const command: RunCommand = {
    v: 1,
    mode: "OCR",
    ocr,
    mimeType: "application/pdf",
    sourceLocations: false,
    granularity: "auto",
    format: "plain",
  };
  await openRun(org, guid, command);
  // Tests move the clock.
  return waitForEnd(org, guid, 2000);
}

async function usage(): Promise<Record<string, number>> {
  const month = new Date(at.org.engines.clock.now()).toISOString().slice(0, 7);
  const { items } = await at.org.records.query<UsageEvent>({ partition: `usage/${month}` });
  return Object.fromEntries(items.map(({ value }) => [value.provider_key, value.quantity]));
}

describe("pages recognised while the step runs", () => {
  it("are those that need it, each once, and are counted by provider", async () => {
    const { asked, documents } = scans([2, 5, 7], 9);
    at = testPlatform(documents, pictureEngine(asked));
    expect(await run()).toMatchObject({ status: "COMPLETED", error: null, ocrPages: 9 });
    expect(asked.pages.sort()).toEqual([2, 5, 7]);
    expect(asked.completed).toEqual([{ pages: [2, 5, 7], unread: [], level: "DEFAULT" }]);
    expect(await usage()).toEqual({ "local:pdf-text": 6, "fake:Look": 3 });
  });

  it("are asked for again with more care where they came out poor and the mode is AUTO", async () => {
    const { asked, documents } = scans([1, 2, 3], 3, [2]);
    at = testPlatform(documents, pictureEngine(asked));
    expect((await run("AUTO")).status).toBe("COMPLETED");
    expect(asked.completed.map(({ pages, level }) => [level, pages])).toEqual([
      ["DEFAULT", [1, 2, 3]],
      ["PREMIUM", [2]],
    ]);
    expect(await usage()).toEqual({ "fake:Look": 4 });
  });

  it("are not asked for again when the step starts again", async () => {
    const { asked, documents } = scans([1, 2, 3], 3);
    let failures = 1;
    const engine = pictureEngine(asked);
    at = testPlatform(documents, {
      ...engine,
      async recognize(image, level, limits) {
        if (image.pageNumber === 3 && failures-- > 0) throw new ServiceUnavailable("Too busy");
        return engine.recognize(image, level, limits);
      },
    });
    expect((await run()).status).toBe("COMPLETED");
    expect(asked.pages.sort()).toEqual([1, 2, 3]);
  });

  it("end the run early, with how many fit, when it is clear that they are too many", async () => {
    const { asked, documents } = scans(
      Array.from({ length: 400 }, (_, index) => index + 1),
      400,
    );
    const engine = pictureEngine(asked);
    at = testPlatform(documents, {
      ...engine,
      parallel: 1,
      async recognize(image, level, limits) {
        at.pass(3);
        return engine.recognize(image, level, limits);
      },
    });
    const job = await run();
    expect(job.status).toBe("FAILED");
    expect(job.error).toMatch(
      /^Processing failed: Text recognition of 400 pages takes longer than 300 seconds; choose about (9\d|100) pages by pageRange$/,
    );
    expect(asked.pages.length).toBeLessThan(12);
  });

  it("stay without text where there is no engine", async () => {
    const { asked, documents } = scans([2], 2);
    at = testPlatform(documents, null);
    expect((await run()).status).toBe("COMPLETED");
    expect(asked.completed).toEqual([{ pages: [], unread: [2], level: "DEFAULT" }]);
    expect(await usage()).toEqual({ "local:pdf-text": 1 });
  });

  it("show how far they are", async () => {
    const { asked, documents } = scans([1, 2, 3, 4], 4);
    const engine = pictureEngine(asked);
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    at = testPlatform(documents, {
      ...engine,
      parallel: 1,
      async recognize(image, level, limits) {
        if (image.pageNumber === 3) await gate;
        return engine.recognize(image, level, limits);
      },
    });
    const ended = run();
    const { watchedJob } = await import("../../../../functions/core/jobs/view.ts");
    await expect
      .poll(async () => {
        const { items } = await at.org.records.query({ partition: `jobs/${new Date().toISOString().slice(0, 7)}` });
        const guid = items[0]?.key.sort;
        if (guid === undefined) return undefined;
        return (await watchedJob(at.org, (await loadJob(at.org, guid)).value)).progress;
      }, POLL)
      .toMatchObject({ phase: "recognize", unit: "page", done: 1, total: 4, failed: 0 });
    open?.();
    expect((await ended).status).toBe("COMPLETED");
  });
});

/** A service whose answers are given one look at a time. */
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

describe("documents recognised elsewhere", () => {
  it("are waited for by the machine, and come some pages at a time under their own numbers", async () => {
    const { asked, documents } = scans([3, 4, 8], 9);
    const { engine, started, cursors } = slowService(asked, [
      { status: "running" },
      { status: "reading", pages: [ocrPage(1), ocrPage(2)], cursor: "on" },
      done([3]),
    ]);
    at = testPlatform(documents, engine);
    const job = await run();
    expect(job).toMatchObject({ status: "COMPLETED", error: null });
    expect(asked.pages).toEqual([]);
    expect(asked.completed).toEqual([{ pages: [3, 4, 8], unread: [], level: "DEFAULT" }]);
    expect(cursors).toEqual([undefined, undefined, "on"]);
    expect(started).toHaveLength(1);
    expect(started[0]?.blobKey).toBe(`org/1/jobs/${job.guid}/1/ocr/default/pages.pdf`);
    expect(await usage()).toEqual({ "local:pdf-text": 6, "fake:Read": 1 });
  }, 30_000);

  it("are short ones at once", async () => {
    const { asked, documents } = scans([4], 9);
    const { engine, started } = slowService(asked, []);
    at = testPlatform(documents, engine);
    expect((await run()).status).toBe("COMPLETED");
    expect(started).toEqual([]);
    expect(asked.pages).toEqual([4]);
  });

  it("are looked at again after a failure that may pass; pages in strips are one, and those not read are named", async () => {
    const { asked, documents } = scans([1, 2, 6], 6);
    const { engine } = slowService(asked, [new ServiceUnavailable("Too busy"), done([1, 2, 3], [4])]);
    const frame = { width: 3, height: 60 };
    const strip = (index: number) => ({ index, count: 2, page: frame, left: 0, top: 29.5 * index });
    const views = [1, 2, 2, 6].map((pageNumber, index) => ({
      pageNumber,
      frame: { width: 3, height: 30.5 },
      ...(pageNumber === 2 ? { strip: strip(index - 1) } : {}),
    }));
    at = testPlatform({ ...documents, picturesPdf: async () => ({ pdf: bytes({}), views }) }, engine);
    expect((await run()).status).toBe("COMPLETED");
    expect(asked.completed).toEqual([{ pages: [1, 2], unread: [6], level: "DEFAULT" }]);
  }, 30_000);

  it("go a second time with the poor pages where the mode is AUTO", async () => {
    const { asked, documents } = scans([1, 2, 6], 6, [2, 6]);
    const { engine, started } = slowService(asked, [done([1, 2, 3]), done([1, 2])]);
    at = testPlatform(documents, engine);
    expect((await run("AUTO")).status).toBe("COMPLETED");
    expect(asked.completed.map(({ pages, level }) => [level, pages])).toEqual([
      ["DEFAULT", [1, 2, 6]],
      ["PREMIUM", [2, 6]],
    ]);
    expect(started.map(({ level }) => level)).toEqual(["DEFAULT", "PREMIUM"]);
    expect(new Set(started.map(({ token }) => token)).size).toBe(2);
    expect(await usage()).toEqual({ "local:pdf-text": 3, "fake:Read": 5 });
  }, 30_000);

  it("fail with the service's sentence", async () => {
    const { asked, documents } = scans([1, 2], 2);
    const { engine } = slowService(asked, [new JobFailure(JOB_SENTENCES.noText)]);
    at = testPlatform(documents, engine);
    expect(await run()).toMatchObject({ status: "FAILED", error: JOB_SENTENCES.noText });
  }, 30_000);
});
