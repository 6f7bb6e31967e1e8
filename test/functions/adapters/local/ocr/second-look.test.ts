import { describe, expect, test } from "vitest";
import { SecondLook, type SecondRecogniser } from "../../../../../functions/adapters/local/ocr/second-look.ts";
import type { ReadWord } from "../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";
import { paper } from "../../../../support/pictures.ts";

const WORD: ReadWord = { text: "Total", confidence: 0.9, box: { left: 1, top: 1, right: 2, bottom: 1.2 }, line: 0 };
const PICTURE = paper(10, 10);
const always = (): boolean => true;

function lookWith(recognize: SecondRecogniser["recognize"], load = async (): Promise<void> => undefined) {
  let loads = 0;
  const look = new SecondLook(async () => {
    loads += 1;
    await load();
    return { recognize };
  });
  return { look, loads: () => loads };
}

describe("SecondLook", () => {
  test("loads the recogniser with the first picture, once", async () => {
    const { look, loads } = lookWith(async () => [WORD]);
    expect(loads()).toBe(0);
    expect(await look.read(PICTURE, 200, always)).toEqual([WORD]);
    expect(await look.read(PICTURE, 200, always)).toEqual([WORD]);
    expect(loads()).toBe(1);
    expect(look.fault).toBeUndefined();
  });

  test("gives no words when the recogniser cannot be loaded, and does not try again", async () => {
    const { look, loads } = lookWith(
      async () => [WORD],
      () => Promise.reject(new Error(`Cannot find the package ${"x".repeat(400)}`)),
    );
    expect(await look.read(PICTURE, 200, always)).toBeUndefined();
    expect(await look.read(PICTURE, 200, always)).toBeUndefined();
    expect(loads()).toBe(1);
    expect(look.fault).toMatch(/^Cannot find the package x+$/);
    expect(look.fault).toHaveLength(300);
  });

  test("names the kind of a failure while it reads, without its message", async () => {
    const { look } = lookWith(() => Promise.reject(new RangeError("secret text of a document")));
    expect(await look.read(PICTURE, 200, always)).toBeUndefined();
    expect(look.fault).toBe("it ended with a RangeError");
  });

  test("gives no words, and is no fault, where the time is over once it is loaded", async () => {
    const { look } = lookWith(async () => [WORD]);
    expect(await look.read(PICTURE, 200, () => false)).toBeUndefined();
    expect(look.fault).toBeUndefined();
    expect(await look.read(PICTURE, 200, always)).toEqual([WORD]);
  });
});
