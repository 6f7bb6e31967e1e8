import { describe, expect, test } from "vitest";
import { readPicture } from "../../../../../functions/adapters/local/ocr/read-picture.ts";
import {
  MODES,
  type Mode,
  type RecognitionTools,
} from "../../../../../functions/adapters/local/ocr/recognition-tools.ts";
import type { ReadWord } from "../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";
import type { GrayImage } from "../../../../../functions/engine/imaging/gray-image.ts";
import type { Preparation, PreparedPicture } from "../../../../../functions/engine/imaging/prepare-picture.ts";
import { inkIn, paper } from "../../../../support/pictures.ts";

/** A hundred letters, ten lines of ten, half an inch apart. */
const INK = Float32Array.from(
  Array.from({ length: 100 }, (_, at) => [100 + (at % 10) * 100, 100 + Math.floor(at / 10) * 100, 50]).flat(),
);

const WIDTH = 1200;

function preparedPage(quarters: PreparedPicture["quarters"]): PreparedPicture {
  const width = WIDTH + quarters; // by which a look knows how the picture was turned
  const gray = paper(width, 1200);
  for (let at = 0; at < INK.length; at += 3) gray.pixels[(INK[at + 1] ?? 0) * width + (INK[at] ?? 0)] = 0;
  return {
    gray,
    toPage: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
    dpi: 200,
    quarters,
    angle: -90 * quarters + 0,
    threshold: 128,
    empty: false,
    bounds: { left: 0, top: 0, right: width, bottom: 1200 },
    drawn: { rules: [], bars: [] },
    ink: INK,
  };
}

/** The words that stand on the letters `from` to `to`, seen from so many inches below the top and right of the edge. */
const wordsOn = (from: number, to: number, confidence: number, below = 0, behind = 0): ReadWord[] =>
  Array.from({ length: to - from }, (_, index) => {
    const [x, y] = [(INK[(from + index) * 3] ?? 0) / 200, (INK[(from + index) * 3 + 1] ?? 0) / 200];
    return {
      text: "a",
      confidence,
      box: { left: x - 0.1 - behind, top: y - 0.1 - below, right: x + 0.1 - behind, bottom: y + 0.1 - below },
      line: index,
    };
  });

interface Log {
  prepared: Preparation[];
  passes: { mode: Mode; ink: number }[];
}

/** Tools that give what `read` says for each look. */
function toolsFor(
  guess: PreparedPicture["quarters"],
  read: (mode: Mode, quarters: number, look: number) => ReadWord[],
  hasTime = true,
): { tools: RecognitionTools; log: Log } {
  const log: Log = { prepared: [], passes: [] };
  const tools: RecognitionTools = {
    minStrayShare: 0.02,
    minRowStrayShare: 0,
    hasTime: () => hasTime,
    async prepare(preparation) {
      log.prepared.push(preparation);
      return preparedPage(preparation.quarters ?? guess);
    },
    async recognize(gray: GrayImage, _dpi, mode) {
      log.passes.push({ mode, ink: inkIn(gray, 0, 0, gray.width, gray.height) });
      return read(mode, gray.width - WIDTH, log.passes.length);
    },
  };
  return { tools, log };
}

describe("readPicture: recognition passes", () => {
  test("LOW: reads a plain picture once", async () => {
    const { tools, log } = toolsFor(0, () => wordsOn(0, 40, 0.3));
    expect((await readPicture(tools, "LOW", false)).words).toHaveLength(40);
    expect(log.prepared).toEqual([{ plain: true }]);
    expect(log.passes).toHaveLength(1);
  });

  test("DEFAULT: reads once where no ink is left over", async () => {
    const { tools, log } = toolsFor(0, () => wordsOn(0, 100, 0.9));
    expect(await readPicture(tools, "DEFAULT", true)).toMatchObject({ strayInk: 0 });
    expect(log.passes.map(({ mode }) => mode)).toEqual([MODES.page]);
    expect(log.prepared[0]).toMatchObject({ keepCheckboxes: true });
  });

  test("DEFAULT: reads missed ink again, with the read words covered", async () => {
    // The remaining ink begins at 3.5 inches; half an inch above belongs to the pass.
    const { tools, log } = toolsFor(0, (mode) => (mode === MODES.page ? wordsOn(0, 60, 0.9) : wordsOn(60, 95, 0.8, 3)));
    const { words, strayInk } = await readPicture(tools, "DEFAULT", false);
    expect(words).toHaveLength(95);
    expect(strayInk).toBeCloseTo(0.05, 6);
    expect(log.passes).toEqual([
      { mode: MODES.page, ink: 100 },
      { mode: MODES.sparse, ink: 40 },
    ]);
  });

  test("DEFAULT: keeps words of a second pass in likely lines", async () => {
    const { tools, log } = toolsFor(0, (mode) =>
      mode === MODES.page ? wordsOn(0, 60, 0.9) : wordsOn(60, 95, 0.55, 3),
    );
    expect((await readPicture(tools, "DEFAULT", false)).words).toHaveLength(60);
    expect(log.passes).toHaveLength(2);
  });

  test("DEFAULT: keeps a sure word of letters in a line of grain", async () => {
    const grain = wordsOn(60, 95, 0.3, 3).map((word) => ({ ...word, line: 60 }));
    const said = [
      { text: "Menge", confidence: 0.8 },
      { text: "1530", confidence: 0.8 },
      { text: "Menge", confidence: 0.7 },
    ];
    const saidInGrain = grain.map((word, at) => ({ ...word, ...said[at] }));
    const { tools } = toolsFor(0, (mode) =>
      mode === MODES.page ? wordsOn(0, 60, 0.9) : mode === MODES.sparse ? saidInGrain : [],
    );
    const { words } = await readPicture(tools, "DEFAULT", false);
    expect(words.slice(60)).toMatchObject([{ text: "Menge", confidence: 0.8 }]);
    expect(words).toHaveLength(61);
  });

  test("DEFAULT: does not read a drawing again, though it has more ink than the letters", async () => {
    const drawn = Float32Array.from(INK, (value, at) => (at % 3 === 2 && at >= 3 * 80 ? 900 : value));
    const { tools, log } = toolsFor(0, () => wordsOn(0, 80, 0.9));
    const costly = { ...tools, minStrayShare: 0.25, prepare: async () => ({ ...preparedPage(0), ink: drawn }) };
    expect((await readPicture(costly, "DEFAULT", false)).strayInk).toBeGreaterThan(0.8);
    expect(log.passes.map(({ mode }) => mode)).toEqual([MODES.page]);
  });

  test("DEFAULT: reads rows with missed letters again, from the word before them to the one behind", async () => {
    // Two letters of the fourth row, whose words begin at 1.9 inches; the word before them begins at 2.4.
    const missed = [35, 36];
    const all = wordsOn(0, 100, 0.9);
    const { tools, log } = toolsFor(0, (mode) =>
      mode === MODES.page ? all.filter((_, at) => !missed.includes(at)) : wordsOn(34, 38, 0.8, 1.75, 2.25),
    );
    const { words, strayInk } = await readPicture(tools, "DEFAULT", false);
    expect(strayInk).toBe(0);
    expect(words).toHaveLength(100);
    expect(words.filter(({ confidence }) => confidence === 0.8)).toHaveLength(2);
    expect(log.passes).toEqual([
      { mode: MODES.page, ink: 100 },
      { mode: MODES.block, ink: 4 },
    ]);
  });

  test.each([
    ["too few of its letters", [35, 36], 0.03, 1],
    ["enough of them", [35, 36], 0.02, 2],
    ["few below each other, as a column of figures", [35, 45, 55], 0.04, 2],
    ["few below each other, but two", [35, 45], 0.04, 1],
    ["few beside each other", [35, 36, 37], 0.04, 1],
  ])("DEFAULT: starts a costly pass only where the page has %s", async (_what, missed, minRowStrayShare, passes) => {
    const { tools, log } = toolsFor(0, () => wordsOn(0, 100, 0.9).filter((_, at) => !missed.includes(at)));
    await readPicture({ ...tools, minRowStrayShare }, "DEFAULT", false);
    expect(log.passes).toHaveLength(passes);
  });

  test.each([
    ["over the stray ink alone", [], false, [MODES.page, MODES.sparse]],
    [
      "along rows first for a column of figures",
      [0, 10, 20, 30, 40, 50, 60, 70],
      false,
      [MODES.page, MODES.block, MODES.sparse],
    ],
    ["along rows first for a short column", [0, 10, 20], false, [MODES.page, MODES.block, MODES.sparse]],
    ["over the stray ink alone for two figures", [0, 10], false, [MODES.page, MODES.sparse]],
    ["along rows first for a line from top to bottom", [], true, [MODES.page, MODES.block, MODES.sparse]],
  ])("DEFAULT: reads again %s, where much ink is left", async (_how, column, isStacked, passes) => {
    // The last rows are unread; the line from top to bottom stands on two letters, beside which words were read.
    const stack = { text: "II", confidence: 0.9, line: 300, box: { left: 0.4, top: 0.4, right: 0.6, bottom: 1.1 } };
    const read = wordsOn(0, 80, 0.9).filter((_, at) => !column.includes(at) && !(isStacked && [0, 10].includes(at)));
    const { tools, log } = toolsFor(0, (mode) =>
      mode === MODES.page
        ? [...read, ...(isStacked ? [stack] : [])]
        : mode === MODES.sparse
          ? wordsOn(80, 95, 0.8, 3)
          : [],
    );
    await readPicture(tools, "DEFAULT", false);
    expect(log.passes.map(({ mode }) => mode)).toEqual(passes);
  });

  test("PREMIUM: reads a page once whose words are sure", async () => {
    const { tools, log } = toolsFor(0, () => wordsOn(0, 100, 0.95));
    await readPicture(tools, "PREMIUM", false);
    expect(log.passes.map(({ mode }) => mode)).toEqual([MODES.page]);
  });

  test("PREMIUM: takes no unlikely words from the second pass, as from a picture", async () => {
    const { tools } = toolsFor(0, (mode) => (mode === MODES.page ? wordsOn(0, 99, 0.7) : wordsOn(99, 100, 0.5)));
    expect((await readPicture(tools, "PREMIUM", false)).words).toHaveLength(99);
  });

  test("DEFAULT: reads no row again for specks, frames or letters of doubtful words", async () => {
    const sizes = Float32Array.from(INK, (value, at) => (at === 3 * 38 + 2 ? 5 : at === 3 * 39 + 2 ? 900 : value));
    const doubtful = wordsOn(0, 100, 0.9).flatMap((word, at) =>
      at === 38 || at === 39 ? [] : [at === 50 || at === 51 ? { ...word, confidence: 0.4 } : word],
    );
    const { tools, log } = toolsFor(0, () => doubtful);
    await readPicture({ ...tools, prepare: async () => ({ ...preparedPage(0), ink: sizes }) }, "DEFAULT", false);
    expect(log.passes.map(({ mode }) => mode)).toEqual([MODES.page]);
  });

  test("DEFAULT: drops words read from top to bottom where a row crosses them", async () => {
    const column = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90];
    const stack = { text: "IIII", confidence: 0.9, line: 200, box: { left: 0.4, top: 0.4, right: 0.6, bottom: 5.1 } };
    const others = wordsOn(0, 100, 0.9).filter((_, at) => !column.includes(at));
    const { tools } = toolsFor(0, (mode) =>
      mode === MODES.page ? [...others, stack] : wordsOn(0, 100, 0.8, 0.25, 0.15),
    );
    const { words } = await readPicture(tools, "DEFAULT", false);
    expect(words).toHaveLength(100);
    expect(words).not.toContainEqual(expect.objectContaining({ text: "IIII" }));
    const alone = toolsFor(0, () => [
      ...wordsOn(0, 100, 0.9),
      { ...stack, box: { ...stack.box, left: 5.7, right: 5.9 } },
    ]);
    expect((await readPicture(alone.tools, "DEFAULT", false)).words).toHaveLength(101);
  });

  test("DEFAULT: leaves out white margins and keeps the words' places on the page", async () => {
    const { tools, log } = toolsFor(0, () => wordsOn(50, 60, 0.9, 2.35));
    const sizes: number[][] = [];
    const cut: RecognitionTools = {
      ...tools,
      prepare: async () => ({
        ...preparedPage(0),
        bounds: { left: 20, top: 500, right: 1100, bottom: 700 },
        ink: INK.slice(150, 180),
      }),
      recognize: (gray, dpi, mode) => {
        sizes.push([gray.width, gray.height]);
        return tools.recognize(gray, dpi, mode);
      },
    };
    const { words, strayInk } = await readPicture(cut, "DEFAULT", false);
    expect(sizes).toEqual([[1130, 260]]);
    expect(log.passes).toEqual([{ mode: MODES.page, ink: 30 }]);
    expect(words.map(({ box }) => box.top)).toEqual(wordsOn(50, 60, 0.9).map(({ box }) => expect.closeTo(box.top, 9)));
    expect(strayInk).toBe(0);
  });

  test("DEFAULT: starts no second pass without time", async () => {
    const { tools, log } = toolsFor(0, () => wordsOn(0, 60, 0.9), false);
    expect((await readPicture(tools, "DEFAULT", false)).words).toHaveLength(60);
    expect(log.passes).toHaveLength(1);
  });

  test("PREMIUM: reads the whole page twice, the second time enlarged", async () => {
    const { tools, log } = toolsFor(0, (_mode, _quarters, look) => wordsOn(0, 100, look === 1 ? 0.7 : 0.95));
    const { words } = await readPicture(tools, "PREMIUM", false);
    expect(words.every(({ confidence }) => confidence === 0.95)).toBe(true);
    expect(log.passes.map(({ mode }) => mode)).toEqual([MODES.page, MODES.sparse]);
    expect((log.prepared[1]?.letterHeight ?? 0) > (log.prepared[0]?.letterHeight ?? 0)).toBe(true);
  });

  test("DEFAULT: does not read an empty page", async () => {
    const { tools, log } = toolsFor(0, () => wordsOn(0, 5, 0.9));
    const empty: RecognitionTools = {
      ...tools,
      prepare: async () => ({ ...preparedPage(0), empty: true, ink: new Float32Array() }),
    };
    expect(await readPicture(empty, "PREMIUM", false)).toMatchObject({ words: [], strayInk: 0 });
    expect(log.passes).toEqual([]);
  });
});

describe("readPicture: the second recogniser", () => {
  /** Tools with a second recogniser, and how often it was asked. */
  function withSecond(confidence: number, second: ReadWord[] | undefined) {
    const { tools, log } = toolsFor(0, () => wordsOn(0, 60, confidence));
    let looks = 0;
    const lookAgain = async (): Promise<ReadWord[] | undefined> => {
      looks += 1;
      return second;
    };
    return { tools: { ...tools, lookAgain }, first: tools, log, looks: () => looks };
  }

  test.each(["DEFAULT", "PREMIUM"] as const)("%s: reads a doubtful page, in place of later passes", async (level) => {
    const { tools, log, looks } = withSecond(0.6, wordsOn(0, 100, 0.95));
    const { words } = await readPicture(tools, level, false);
    expect(words).toHaveLength(100);
    expect(looks()).toBe(1);
    expect(log.passes.map(({ mode }) => mode)).toEqual([MODES.page]);
  });

  test("is not asked about a page that is read surely", async () => {
    const { tools, looks } = withSecond(0.96, wordsOn(0, 100, 0.95));
    await readPicture(tools, "PREMIUM", false);
    expect(looks()).toBe(0);
  });

  test("is not asked at LOW", async () => {
    const { tools, looks } = withSecond(0.6, wordsOn(0, 100, 0.95));
    await readPicture(tools, "LOW", false);
    expect(looks()).toBe(0);
  });

  test.each([[undefined], [[]]])("leaves the passes to the first where it gives %j", async (second) => {
    const { tools, first, log, looks } = withSecond(0.6, second);
    const without = await readPicture(first, "DEFAULT", false);
    const passes = log.passes.length;
    expect((await readPicture(tools, "DEFAULT", false)).words).toEqual(without.words);
    expect(looks()).toBe(1);
    expect(log.passes).toHaveLength(2 * passes);
    expect(passes).toBeGreaterThan(1);
  });
});

describe("readPicture: pages that are not upright", () => {
  test("turns the page as its rows say where a strip reads better", async () => {
    const { tools, log } = toolsFor(2, (_mode, quarters) => wordsOn(0, 100, quarters === 2 ? 0.9 : 0.2));
    expect((await readPicture(tools, "DEFAULT", false)).prepared.quarters).toBe(2);
    expect(log.passes.filter(({ mode }) => mode === MODES.page)).toHaveLength(1);
  });

  test("keeps the page upright where no strip reads better", async () => {
    const { tools } = toolsFor(2, (_mode, quarters) => wordsOn(0, 100, quarters === 0 ? 0.9 : 0.2));
    expect((await readPicture(tools, "DEFAULT", false)).prepared.quarters).toBe(0);
  });

  test.each([1, 2, 3] as const)("tries other turns for senseless words: %i quarters", async (right) => {
    const { tools, log } = toolsFor(0, (_mode, quarters) => wordsOn(0, 100, quarters === right ? 0.9 : 0.2));
    const { prepared, words } = await readPicture(tools, "DEFAULT", false);
    expect(prepared.quarters).toBe(right);
    expect(words).toHaveLength(100);
    // Strips first: the whole page is read in one other direction only.
    expect(log.passes.filter(({ mode }) => mode === MODES.page)).toHaveLength(2);
  });

  test("keeps the first reading where no turn makes sense", async () => {
    const { tools } = toolsFor(0, () => wordsOn(0, 100, 0.3));
    expect((await readPicture(tools, "DEFAULT", false)).prepared.quarters).toBe(0);
  });
});
