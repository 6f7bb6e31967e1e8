import { describe, expect, test } from "vitest";
import {
  type ResultIterator,
  type TesseractCore,
  withWordsOnly,
} from "../../../../../functions/adapters/local/ocr/core-words.ts";
import { parseTsv } from "../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";

/** Levels of Tesseract's iterator. */
const [LINE, WORD] = [2, 3];

/** A page's results: lines of words, each ten pixels wide. */
function resultsOf(lines: readonly (readonly string[])[]): ResultIterator {
  const words = lines.flatMap((line, row) => line.map((text, place) => ({ text, row, place })));
  let at = -1;
  const word = (level: number) => {
    expect(level).toBe(WORD);
    return words[at] ?? { text: "", row: 0, place: 0 };
  };
  return {
    Begin: () => {
      at = 0;
    },
    Next: (level) => word(level) !== undefined && ++at < words.length,
    IsAtBeginningOf: (level) => level === LINE && words[at]?.place === 0,
    GetUTF8Text: (level) => word(level).text,
    Confidence: () => 87.5,
    getBoundingBox: (level) => {
      const { row, place } = word(level);
      return { x0: 20 * place, y0: 30 * row, x1: 20 * place + 10, y1: 30 * row + 20 };
    },
  };
}

function coreOf(results: ResultIterator) {
  const destroyed: unknown[] = [];
  class TessBaseAPI {
    GetTSVText(): string {
      return "Tesseract's own table";
    }
    GetIterator(): ResultIterator {
      return results;
    }
  }
  const core: TesseractCore = { destroy: (one) => destroyed.push(one), TessBaseAPI };
  return { core, destroyed, ask: () => new TessBaseAPI().GetTSVText() };
}

describe("withWordsOnly", () => {
  test("gives the words with boxes, confidences and lines, and frees the iterator", async () => {
    const results = resultsOf([["Total", "due"], ["12.50"]]);
    const { core, destroyed, ask } = coreOf(results);
    await withWordsOnly(async () => core)({});
    expect(parseTsv(ask(), 100)).toEqual([
      { text: "Total", confidence: 0.875, line: 0, box: { left: 0, top: 0, right: 0.1, bottom: 0.2 } },
      { text: "due", confidence: 0.875, line: 0, box: { left: 0.2, top: 0, right: 0.3, bottom: 0.2 } },
      { text: "12.50", confidence: 0.875, line: 1, box: { left: 0, top: 0.3, right: 0.1, bottom: 0.5 } },
    ]);
    expect(destroyed).toEqual([results]);
  });

  test("keeps a word with signs of the table in its row", async () => {
    const { core, ask } = coreOf(resultsOf([["a\tb\nc"]]));
    await withWordsOnly(async () => core)({});
    expect(parseTsv(ask(), 100).map(({ text }) => text)).toEqual(["a b c"]);
  });

  test("gives no word for a page without any", async () => {
    const { core, ask } = coreOf(resultsOf([[""]]));
    await withWordsOnly(async () => core)({});
    expect(parseTsv(ask(), 100)).toEqual([]);
  });

  test("frees the iterator when reading fails", async () => {
    const results = {
      ...resultsOf([["a"]]),
      Confidence: () => {
        throw new RangeError("memory access out of bounds");
      },
    };
    const { core, destroyed, ask } = coreOf(results);
    await withWordsOnly(async () => core)({});
    expect(ask).toThrow(RangeError);
    expect(destroyed).toHaveLength(1);
  });

  test("listens to no progress", async () => {
    let given: Record<string, unknown> = {};
    await withWordsOnly(async (options) => {
      given = options;
      return coreOf(resultsOf([])).core;
    })({
      TesseractProgress: () => {
        throw new Error("a message for each word");
      },
      locateFile: 1,
    });
    expect((given.TesseractProgress as () => unknown)()).toBeUndefined();
    expect(given.locateFile).toBe(1);
  });
});
