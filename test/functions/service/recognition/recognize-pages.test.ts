/** Recognition within a step: each page once, within the deadline. */
import { afterEach, describe, expect, it } from "vitest";
import { JOB_SENTENCES, JobFailure, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { OcrEngine } from "../../../../functions/ports/ocr.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { loadCommand, openRun } from "../../../../functions/service/runs/open-run.ts";
import type { Fakes } from "../../../support/engines.ts";
import { easyTasks, type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { type Asked, pictureEngine, run, scans, usage } from "../../../support/recognition.ts";

const POLL = { timeout: 15_000 };
let at: TestPlatform;
afterEach(() => at.close());

const firstPages = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** An engine that takes three seconds a page, one page after the other. */
function slowEngine(asked: Asked): OcrEngine {
  const engine = pictureEngine(asked, { parallel: 1 });
  return {
    ...engine,
    recognize(image, level, limits) {
      at.pass(3);
      return engine.recognize(image, level, limits);
    },
  };
}

describe("pages recognised within the step", () => {
  it("are the pages that need it, each once, counted by provider", async () => {
    const { asked, documents } = scans([2, 5, 7], 9);
    at = testPlatform(documents, pictureEngine(asked));
    expect(await run(at)).toMatchObject({ status: "COMPLETED", error: null, ocrPages: 3 });
    expect(asked.pages.sort()).toEqual([2, 5, 7]);
    expect(asked.completed).toEqual([{ pages: [2, 5, 7], unread: [], level: "DEFAULT" }]);
    expect(await usage(at)).toEqual({ "local:pdf-text": 6, "fake:Look": 3 });
  });

  it("are recognised by an engine that is warmed before the first picture is drawn", async () => {
    const { asked, documents } = scans([2, 5], 9);
    const order: string[] = [];
    const drawn: typeof documents & Fakes = {
      ...documents,
      picture(drawing) {
        order.push("draw");
        return easyTasks.picture(drawing);
      },
    };
    at = testPlatform(drawn, { ...pictureEngine(asked, { parallel: 1 }), warm: () => order.push("warm") });
    expect((await run(at)).status).toBe("COMPLETED");
    expect(order).toEqual(["warm", "draw", "draw"]);
  });

  it("start no engine where no page needs recognition", async () => {
    const { asked, documents } = scans([], 3);
    let warmed = 0;
    at = testPlatform(documents, { ...pictureEngine(asked), warm: () => (warmed += 1) });
    expect((await run(at)).status).toBe("COMPLETED");
    expect(warmed).toBe(0);
  });

  it("are recognised again at PREMIUM when they are poor and the mode is AUTO", async () => {
    const { asked, documents } = scans([1, 2, 3], 3, [2]);
    at = testPlatform(documents, pictureEngine(asked));
    expect((await run(at, "AUTO")).status).toBe("COMPLETED");
    expect(asked.completed.map(({ pages, level }) => [level, pages])).toEqual([
      ["DEFAULT", [1, 2, 3]],
      ["PREMIUM", [2]],
    ]);
    expect(await usage(at)).toEqual({ "fake:Look": 4 });
  });

  it("are not recognised again when the step is repeated", async () => {
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
    expect((await run(at)).status).toBe("COMPLETED");
    expect(asked.pages.sort()).toEqual([1, 2, 3]);
  });

  it("end 45 seconds before the run does: what was read is the result, and the other pages are named", async () => {
    const { asked, documents } = scans(firstPages(120), 120);
    at = testPlatform(documents, slowEngine(asked));
    const job = await run(at);
    expect(asked.pages).toEqual(firstPages(85));
    expect(asked.completed).toEqual([
      { pages: firstPages(85), unread: [], late: firstPages(120).slice(85), level: "DEFAULT" },
    ]);
    const message =
      "Pages 86–120 were not recognised: text recognition stops 45 seconds before the limit of 300 seconds";
    expect(job).toMatchObject({ status: "PARTIAL", error: message, ocrPages: 85 });
    expect(job.runs[0]).toMatchObject({ unreadPages: 35, validationErrors: [{ pointer: "", message }] });
    expect(job.runs[0]?.resultKey).toBeDefined();
  });

  it("that a run had no time for are recognised by the next run, and only those", async () => {
    const { asked, documents } = scans(firstPages(120), 120);
    at = testPlatform(documents, slowEngine(asked));
    const { guid } = await run(at);
    const { value } = await loadJob(at.org, guid);
    const command = await loadCommand(at.org, value.runs[0] ?? expect.fail("no run"));
    await openRun(at.org, guid, command);
    const job = await waitForEnd(at.org, guid, 2000);
    expect(job).toMatchObject({ status: "COMPLETED", error: null, ocrPages: 120 });
    expect(asked.pages).toEqual(firstPages(120));
    expect(asked.completed[1]?.pages).toEqual(firstPages(120));
  });

  it("are cut off in the midst of a page, which is then named among the others", async () => {
    const { asked, documents } = scans([1, 2, 3, 5], 5);
    const engine = pictureEngine(asked, { parallel: 1 });
    const deadlines: number[] = [];
    at = testPlatform(documents, {
      ...engine,
      async recognize(image, level, limits) {
        deadlines.push(limits.deadline - at.org.engines.clock.now());
        if (image.pageNumber === 1) return engine.recognize(image, level, limits);
        at.pass(260);
        throw new JobFailure(JOB_SENTENCES.corrupted);
      },
    });
    const job = await run(at);
    expect(job.status).toBe("PARTIAL");
    expect(job.error).toMatch(/^Pages 2–3, 5 were not recognised: /);
    expect(deadlines.every((left) => left <= 255_000)).toBe(true);
  });

  it("of a document without any text, none of them read in time, are a timeout", async () => {
    const { asked, documents } = scans([1, 2], 2);
    const { read } = documents;
    at = testPlatform(
      { ...documents, read: async () => ({ ...(await read()), facts: { ...(await read()).facts, wordCount: 0 } }) },
      {
        ...pictureEngine(asked),
        recognize() {
          at.pass(256);
          return Promise.reject(new ServiceUnavailable("Too busy"));
        },
      },
    );
    expect(await run(at)).toMatchObject({ status: "FAILED", error: "Processing timeout after 300 seconds" });
  });

  it("are recognised once though the step is repeated after the end of their time", async () => {
    const { asked, documents } = scans(firstPages(120), 120);
    let failures = 1;
    at = testPlatform(
      {
        ...documents,
        complete: async (payload) => {
          if (failures-- > 0) throw new ServiceUnavailable("Too busy");
          return documents.complete(payload);
        },
      },
      slowEngine(asked),
    );
    expect(await run(at)).toMatchObject({ status: "PARTIAL", ocrPages: 85 });
    expect(asked.pages).toEqual(firstPages(85));
  });

  it("stay as they were where there is no time to recognise them again", async () => {
    const { asked, documents } = scans(firstPages(80), 80, firstPages(80));
    at = testPlatform(documents, slowEngine(asked));
    expect(await run(at, "AUTO")).toMatchObject({ status: "COMPLETED", error: null, ocrPages: 85 });
    expect(asked.completed[1]).toMatchObject({ pages: firstPages(5), unread: [], hurried: firstPages(80).slice(5) });
  });

  it("are all recognised when they just fit the time", async () => {
    const { asked, documents } = scans(firstPages(85), 85);
    at = testPlatform(documents, slowEngine(asked));
    expect((await run(at)).status).toBe("COMPLETED");
    expect(asked.pages).toHaveLength(85);
  });

  it("with a sufficient text layer are recognised only while there is time", async () => {
    const all = Array.from({ length: 400 }, (_, index) => index + 1);
    const { asked, documents } = scans(all, 400);
    const { read } = documents;
    const engine = pictureEngine(asked);
    const unseen: number[] = [];
    at = testPlatform(
      {
        ...documents,
        read: async () => ({ ...(await read()), spare: all.filter((page) => page !== 300) }),
        complete: async (payload) => {
          unseen.push(...(payload.recognised.unseen ?? []));
          return documents.complete(payload);
        },
      },
      {
        ...engine,
        parallel: 1,
        async recognize(image, level, limits) {
          at.pass(3);
          return engine.recognize(image, level, limits);
        },
      },
    );
    expect((await run(at, "PREMIUM")).status).toBe("COMPLETED");
    expect(asked.pages[0]).toBe(300);
    expect(asked.pages.length).toBeGreaterThan(40);
    expect(asked.pages.length).toBeLessThan(60);
    expect(unseen).toHaveLength(400 - asked.pages.length);
    expect(unseen.at(-1)).toBe(400);
  });

  it("stay without text when there is no engine", async () => {
    const { asked, documents } = scans([2], 2);
    at = testPlatform(documents, null);
    expect((await run(at)).status).toBe("COMPLETED");
    expect(asked.completed).toEqual([{ pages: [], unread: [2], level: "DEFAULT" }]);
    expect(await usage(at)).toEqual({ "local:pdf-text": 1 });
  });

  it("show their progress", async () => {
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
    const ended = run(at);
    const { viewJob } = await import("../../../../functions/service/lifecycle/views/job-view.ts");
    await expect
      .poll(async () => {
        const { items } = await at.org.records.query({ partition: `job-list/${new Date().toISOString().slice(0, 7)}` });
        const guid = items[0]?.value.guid as string | undefined;
        if (guid === undefined) return undefined;
        return (await viewJob(at.org, (await loadJob(at.org, guid)).value)).progress;
      }, POLL)
      .toMatchObject({ phase: "recognize", unit: "page", done: 1, total: 4, failed: 0 });
    open?.();
    expect((await ended).status).toBe("COMPLETED");
  });
});
