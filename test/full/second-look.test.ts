/** The second recogniser in the processes of both engines, as a service runs it. */
import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { degradeLikeScan } from "../../bench/ocr/pages.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { type LocalOcrOptions, openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { drawOcrPage } from "../support/ocr-page.ts";

const LINES = [
  "Milk 2 x 1.49 2.98",
  "Bread wholemeal 3.20",
  "Coffee beans 500 g 8.95",
  "Total EUR 15.13",
  "Cash 20.00",
];
const WORDS = LINES.join(" ").split(" ");
/** As a phone's picture that is out of focus. */
const PHOTO = { angle: 2, blur: 4, noise: 8, quality: 35 };
const MEMORY_LIMIT_BYTES = 2 ** 30;
const clock = systemClock();

let photo: Uint8Array;
beforeAll(async () => {
  const lines = LINES.map((text, at) => ({ text, x: 150, y: 600 - 30 * at, size: 14 }));
  photo = await degradeLikeScan((await drawOcrPage(lines)).png, PHOTO);
});

/** Reads the photo twice. @returns the words found of those drawn, faults, and the most memory of a process */
async function read(options: Pick<LocalOcrOptions, "engine" | "secondLook">) {
  const faults: string[] = [];
  let peak = 0;
  const engine = openLocalOcr({
    ...{ clock, jobTimeoutSeconds: 300, langs: ["eng"], size: 1, ...options },
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
    onSecondLookFault: (reason) => faults.push(reason),
    onEvent: ({ peakBytes = 0 }) => {
      peak = Math.max(peak, peakBytes);
    },
  });
  const image = { bytes: photo, pageNumber: 1, frame: { width: 8.5, height: 11 } };
  let found: number[] = [];
  try {
    for (let time = 0; time < 2; time += 1) {
      const { page } = await engine.recognize(image, "DEFAULT", { deadline: clock.now() + 120_000 });
      const words = new Set(pageWords(page.page).map(({ text }) => text));
      found = [...found, WORDS.filter((word) => words.has(word)).length];
    }
  } finally {
    await engine.close();
  }
  return { found, faults, peak };
}

const hasProgram = spawnSync("tesseract", ["--version"]).status === 0;
if (!hasProgram) console.warn("SKIPPED: there is no program tesseract on the PATH; its second look was not tested");
const ENGINES = hasProgram ? (["embedded", "native"] as const) : (["embedded"] as const);

describe.each(ENGINES)("a second look at a photo, engine %s", (engine) => {
  it("reads words that Tesseract does not, within the memory of its process", async () => {
    const without = await read({ engine, secondLook: false });
    const both = await read({ engine });
    expect(both.faults).toEqual([]);
    expect(both.found[0]).toBeGreaterThan(without.found[0] ?? 0);
    expect(both.found[1]).toBe(both.found[0]);
    expect(both.peak).toBeLessThan(0.8 * MEMORY_LIMIT_BYTES);
  }, 240_000);
});
