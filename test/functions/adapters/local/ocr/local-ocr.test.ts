import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../../../functions/adapters/local/clock.ts";
import { type LocalOcrOptions, openLocalOcr } from "../../../../../functions/adapters/local/ocr/local-ocr.ts";
import type { PoolEvent } from "../../../../../functions/adapters/local/pool/pool.ts";
import { pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import {
  JOB_SENTENCES,
  JobFailure,
  ServiceUnavailable,
  timeoutSentence,
} from "../../../../../functions/ports/errors.ts";
import { drawOcrPage } from "../../../../support/ocr-page.ts";

const clock = systemClock();
const OPTIONS: LocalOcrOptions = { clock, jobTimeoutSeconds: 300, langs: ["eng"], engine: "embedded", size: 1 };
const HOSTILE = new URL("../../../../support/hostile-ocr-worker.ts", import.meta.url);

const open: ReturnType<typeof openLocalOcr>[] = [];
function start(options: Partial<LocalOcrOptions> = {}): ReturnType<typeof openLocalOcr> {
  const engine = openLocalOcr({ ...OPTIONS, ...options });
  open.push(engine);
  return engine;
}
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

const failureOf = (engine: ReturnType<typeof openLocalOcr>, bytes: Uint8Array, time = 20_000): Promise<unknown> =>
  engine
    .recognize({ bytes, pageNumber: 1, frame: { width: 8.5, height: 11 } }, "DEFAULT", { deadline: clock.now() + time })
    .then(
      () => "no error",
      (error: unknown) => error,
    );

describe("openLocalOcr", () => {
  test("names the package of a missing language", () => {
    expect(() => start({ langs: ["eng", "fra"] })).toThrow(
      'Text recognition in "fra" needs its data: npm install @tesseract.js-data/fra',
    );
  });

  test.each(["../eng", "EN", "eng+deu", "eng deu", ""])("refuses the language %j", (lang) => {
    expect(() => start({ langs: [lang] })).toThrow(`Text recognition knows no language "${lang}"`);
  });

  test("refuses an empty list of languages", () => {
    expect(() => start({ langs: [] })).toThrow("Text recognition needs at least one language");
  });

  test("names the missing program", () => {
    expect(() => start({ engine: "native", searchPath: "/nowhere" })).toThrow(
      "The program tesseract is not on the PATH: install it",
    );
  });

  test("reports processes that do not start, and keeps the service alive", async () => {
    const events: PoolEvent[] = [];
    const engine = start({
      module: new URL("../../../../support/throw-at-start.ts", import.meta.url),
      onEvent: (event) => events.push(event),
    });
    const { png } = await drawOcrPage([{ text: "Text", x: 72, y: 700, size: 16 }]);
    expect(await failureOf(engine, png)).toBeInstanceOf(ServiceUnavailable);
    expect(events[0]).toMatchObject({ kind: "exit", reason: expect.stringContaining("no such engine") });
  });

  test("starts its first process with the first picture", async () => {
    const events: PoolEvent[] = [];
    const engine = start({ module: HOSTILE, onEvent: (event) => events.push(event) });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(events).toEqual([]);
    await failureOf(engine, Buffer.from("x"));
    expect(events).toMatchObject([{ kind: "start" }]);
  });

  test("starts its first process ahead of the first picture when it is warmed", async () => {
    const events: PoolEvent[] = [];
    const engine = start({ module: HOSTILE, onEvent: (event) => events.push(event) });
    engine.warm?.();
    engine.warm?.();
    await expect.poll(() => events, { timeout: 10_000 }).toMatchObject([{ kind: "start" }]);
  });

  test("starts nothing once it is closed", async () => {
    const events: PoolEvent[] = [];
    const engine = start({ module: HOSTILE, onEvent: (event) => events.push(event) });
    await engine.close();
    engine.warm?.();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(events).toEqual([]);
  });

  test("states its name and limits", () => {
    expect(start({ size: 3 })).toMatchObject({ name: "tesseract.js", parallel: 3 });
    expect(start().documents).toBeUndefined();
  });
});

describe("recognize, for a picture that fails", () => {
  test("replaces its process and names the reason", async () => {
    const engine = start({ module: HOSTILE, memoryLimitBytes: 300 * 2 ** 20 });
    const sentences: string[] = [];
    for (const [kind, time] of [["m"], ["h", 500], ["c"], ["a"], ["x"]] as const) {
      const error = await failureOf(engine, Buffer.from(kind), time);
      expect(error, kind).toBeInstanceOf(JobFailure);
      sentences.push((error as JobFailure).message);
    }
    expect(sentences).toEqual([
      "Processing failed: The document needs more memory than is allowed",
      timeoutSentence(300),
      JOB_SENTENCES.corrupted,
      JOB_SENTENCES.corrupted,
      JOB_SENTENCES.corrupted,
    ]);
  });

  test("refuses too many pixels by the header", async () => {
    const header = Buffer.alloc(60);
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(header);
    header.writeUInt32BE(20_000, 16);
    header.writeUInt32BE(6_000, 20);
    Buffer.from("0800000000", "hex").copy(header, 24);
    Buffer.from("0000000a49444154", "hex").copy(header, 33);
    const error = await failureOf(start(), header);
    expect(error).toBeInstanceOf(JobFailure);
    expect((error as JobFailure).message).toMatch(/20,000 × 6,000 pixels, more than the 100,000,000/);
  });

  test("refuses too many bytes", async () => {
    const events: PoolEvent[] = [];
    const engine = start({ onEvent: (event) => events.push(event) });
    const error = await failureOf(engine, new Uint8Array(engine.maxImageBytes + 1));
    expect(error).toMatchObject({ message: "Processing failed: Document is too large for text recognition" });
    expect(events).toEqual([]);
  });
});

describe("recognize", () => {
  test("reads several languages in the processes of the engine", { timeout: 90_000 }, async () => {
    const { png } = await drawOcrPage([{ text: "Überweisung für März", x: 72, y: 700, size: 16 }]);
    const frame = { width: 8.5, height: 11 };
    const engine = start({ langs: ["eng", "deu"] });
    const limits = { deadline: clock.now() + 80_000 };
    const { page } = await engine.recognize({ bytes: png, pageNumber: 1, frame }, "DEFAULT", limits);
    expect(pageWords(page.page).map(({ text }) => text)).toEqual(["Überweisung", "für", "März"]);
  });
});

describe("recognize, without a second recogniser", () => {
  const picture = { bytes: Buffer.from("s"), pageNumber: 1, frame: { width: 1, height: 1 } };
  const recognize = (engine: ReturnType<typeof start>) =>
    engine.recognize(picture, "DEFAULT", { deadline: clock.now() + 20_000 });

  test("tells its fault once, and gives the page", async () => {
    const faults: string[] = [];
    const engine = start({ module: HOSTILE, onSecondLookFault: (reason) => faults.push(reason) });
    for (let page = 0; page < 2; page += 1) expect((await recognize(engine)).page.strayInk).toBe(0);
    expect(faults).toEqual(["no such package"]);
  });

  test("asks for none where it is off", async () => {
    const faults: string[] = [];
    const options = { module: HOSTILE, secondLook: false };
    await recognize(start({ ...options, onSecondLookFault: (reason) => faults.push(reason) }));
    expect(faults).toEqual([]);
  });
});

describe("close", () => {
  test("ends running pictures and refuses new ones", async () => {
    const engine = start({ module: HOSTILE });
    const running = failureOf(engine, Buffer.from("h"));
    await new Promise((resolve) => setTimeout(resolve, 700));
    await engine.close();
    expect(await running).toBeInstanceOf(ServiceUnavailable);
    expect(await failureOf(engine, Buffer.from("x"))).toBeInstanceOf(ServiceUnavailable);
  });
});
