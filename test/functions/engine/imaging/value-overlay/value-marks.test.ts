import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawValueMarks } from "../../../../../functions/engine/imaging/value-overlay/draw-overlay.ts";
import { textPath, textSize } from "../../../../../functions/engine/imaging/value-overlay/grid-letters.ts";
import { inkMeter } from "../../../../../functions/engine/imaging/value-overlay/ink-meter.ts";
import { type Canvas, overlaySvg } from "../../../../../functions/engine/imaging/value-overlay/overlay-svg.ts";
import { marksOf, pointerFilter } from "../../../../../functions/engine/imaging/value-overlay/value-marks.ts";
import type { SourceLocation, SourceLocations } from "../../../../../functions/engine/layout/source-locations.ts";

type Box = [left: number, top: number, right: number, bottom: number];

function location(
  [left, top, right, bottom]: Box,
  more: { confidence?: number; pageNumber?: number; unit?: "inch" | "point" } = {},
): SourceLocation {
  const { confidence = 1, pageNumber = 1, unit = "inch" } = more;
  return {
    resolution: "word",
    sourceRefs: [],
    pageAnchors: [{ pageNumber, unit, bbox: { left, top, right, bottom }, polygons: [] }],
    confidence,
  };
}

const sourcesOf = (locations: Record<string, SourceLocation>): SourceLocations => ({
  version: 1,
  granularity: "word",
  pages: [{ pageNumber: 1, width: 8, height: 4, unit: "inch" }],
  locations,
  unresolved: [],
});

/** A page of 8 by 4 inches at 100 pixels an inch. */
const canvas = (inkIn: Canvas["inkIn"] = () => 0): Canvas => ({ width: 800, height: 400, pixelsPerInch: 100, inkIn });
const labelsIn = (svg: string): number => svg.split("<path").length - 1 - svg.split('fill-opacity="0.1"').length + 1;

describe("marksOf and pointerFilter: marks of a page", () => {
  const sources = sourcesOf({
    "/total": location([1, 1, 2, 1.2], { confidence: 0.95 }),
    "/due": location([1, 1, 2, 1.2], { confidence: 0.5 }),
    "/lines/0/amount": location([72, 144, 144, 160], { unit: "point" }),
    "/lines/1/amount": location([3, 3, 4, 3.2], { pageNumber: 2 }),
  });

  it("cover its values, in inches, one for each place", () => {
    const marks = marksOf(sources, 1, []);
    expect(marks.map(({ pointers, confidence }) => [pointers, confidence])).toEqual([
      [["/total", "/due"], 0.5],
      [["/lines/0/amount"], 1],
    ]);
    expect(marks[1]?.outlines).toEqual([
      [
        { x: 1, y: 2 },
        { x: 2, y: 2 },
        { x: 2, y: 160 / 72 },
        { x: 1, y: 160 / 72 },
      ],
    ]);
    expect(marksOf(sources, 3, [])).toEqual([]);
  });

  it.each([
    [["/lines"], ["/lines/0/amount"]],
    [["/lines/*/amount"], ["/lines/0/amount"]],
    [["/lines/1"], []],
    [["/tot"], []],
    [["/total"], ["/total"]],
  ])("cover values below the pointers %o", (wanted, expected) =>
    expect(marksOf(sources, 1, wanted).flatMap(({ pointers }) => pointers)).toEqual(expected),
  );

  it("are limited in number, whatever a result has", () => {
    const many = Array.from({ length: 5000 }, (_, at): [string, SourceLocation] => [
      `/${at}`,
      location([at, 0, at + 1, 1]),
    ]);
    expect(marksOf(sourcesOf(Object.fromEntries(many)), 1, [])).toHaveLength(4000);
  });

  // Else the test would not end in its time.
  it("stay fast for a value with one place in all rows, or with very many lines", () => {
    const same = Array.from({ length: 100_000 }, (_, at): [string, SourceLocation] => [
      `/${at}`,
      location([1, 1, 2, 2]),
    ]);
    expect(marksOf(sourcesOf(Object.fromEntries(same)), 1, [])[0]?.pointers).toHaveLength(100_000);
    const long = location([1, 1, 2, 2]);
    const line = [
      { x: 1, y: 1 },
      { x: 2, y: 1 },
      { x: 2, y: 2 },
    ];
    for (let at = 0; at < 50_000; at += 1) long.pageAnchors[0]?.polygons.push(line);
    const marks = marksOf(sourcesOf({ "/text": long }), 1, []);
    expect(marks[0]?.outlines).toHaveLength(20_000);
    const all = { width: 800, height: 400, pixelsPerInch: 100, inkIn: () => 0 };
    expect(overlaySvg(marks, all).length).toBeLessThan(2_000_000);
  });

  it("match a star with one part of a pointer only", () => {
    const fits = pointerFilter(["/a/*/c"]);
    expect(["/a/0/c", "/a/0/c/d", "/a/0/d", "/a/0", "/a/0/0/c"].map(fits)).toEqual([true, true, false, false, false]);
  });
});

describe("overlaySvg", () => {
  const draw = (locations: Record<string, SourceLocation>, on = canvas()) =>
    overlaySvg(marksOf(sourcesOf(locations), 1, []), on);

  it("draws without a font", () => {
    const svg = draw({ "/invoice_number": location([1, 1, 2, 1.2]), "/straße": location([4, 2, 5, 2.2]) });
    expect(svg).not.toMatch(/<text|font/);
    expect(labelsIn(svg)).toBe(2);
  });

  it("shows confidence by colour and dashes", () => {
    const at = (confidence: number): string => draw({ "/a": location([1, 1, 2, 1.2], { confidence }) });
    expect([at(0.95), at(0.9), at(0.8), at(0.3)].map((svg) => /stroke="([^"]+)"/.exec(svg)?.[1])).toEqual([
      "#1a7f37",
      "#1a7f37",
      "#b35900",
      "#cf222e",
    ]);
    expect([at(0.95), at(0.8), at(0.3)].map((svg) => svg.includes("dasharray"))).toEqual([false, false, true]);
  });

  it("draws margins around level boxes and follows slanted ones", () => {
    expect(draw({ "/a": location([1, 1, 2, 1.2]) })).toContain('d="M98.8 98.8H201.2V121.2H98.8z"');
    const slanted = location([1, 1, 2, 2]);
    const [anchor] = slanted.pageAnchors;
    anchor?.polygons.push([
      { x: 1, y: 1.5 },
      { x: 1.5, y: 1 },
      { x: 2, y: 1.5 },
      { x: 1.5, y: 2 },
    ]);
    expect(draw({ "/a": slanted })).toContain('d="M100 150L150 100L200 150L150 200z"');
  });

  it("drops a label without room: ink, another label, the page's end", () => {
    const one = { "/a_rather_long_name": location([1, 1, 2, 1.2]) };
    expect(labelsIn(draw(one))).toBe(1);
    expect(
      labelsIn(
        draw(
          one,
          canvas(() => 0.5),
        ),
      ),
    ).toBe(0);
    expect(labelsIn(draw({ "/a": location([0, 0, 8, 4]) }))).toBe(0);
    const crowd = Array.from({ length: 40 }, (_, at): [string, SourceLocation] => [
      `/lines/${at}/description`,
      location([
        1 + (at % 8) * 0.2,
        1 + Math.floor(at / 8) * 0.2,
        1.18 + (at % 8) * 0.2,
        1.15 + Math.floor(at / 8) * 0.2,
      ]),
    ]);
    const labels = labelsIn(draw(Object.fromEntries(crowd)));
    expect(labels).toBeGreaterThan(0);
    expect(labels).toBeLessThan(20);
  });

  it("shortens a pointer rather than dropping it", () => {
    // Free only in a strip of 80 pixels above the box.
    const strip = canvas(({ left, top, right, bottom }) => Number(left < 95 || right > 185 || top < 80 || bottom > 99));
    const svg = draw({ "/lines/0/description_of_goods/net": location([1, 1, 1.6, 1.2]) }, strip);
    expect(labelsIn(svg)).toBe(1);
    expect(labelsIn(draw({ "/lines/0/description_of_goods": location([1, 1, 1.6, 1.2]) }, strip))).toBe(0);
  });
});

describe("letters of the grid", () => {
  it("have their width, and no accents", () => {
    expect(textSize("/a")).toEqual({ width: 11, height: 9 });
    expect(textPath("é", 0, 0, 1)).toBe(textPath("e", 0, 0, 1));
    expect(textPath(" ", 0, 0, 1)).toBe("");
  });

  it("are all different; an unknown letter is a frame", () => {
    const letters = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/_-.,:~@#$%&()+=…?°'!*"];
    expect(new Set(letters.map((letter) => textPath(letter, 0, 0, 1))).size).toBe(letters.length);
    expect(textPath("語", 0, 0, 1)).toBe(textPath("😀", 0, 0, 1));
  });

  it("stay within their grid", () => {
    for (const [, x, y, run] of textPath("gjpqy@W", 0, 0, 1).matchAll(/M(\d+) (\d+)h(\d+)/g)) {
      expect(Number(x) % 6).toBeLessThan(5);
      expect((Number(x) % 6) + Number(run)).toBeLessThanOrEqual(5);
      expect(Number(y)).toBeLessThan(9);
    }
  });
});

describe("drawValueMarks", () => {
  const page = () =>
    sharp({ create: { width: 800, height: 400, channels: 3, background: "#ffffff" } })
      .png()
      .toBuffer();

  it("draws the box at the value's place, and nothing elsewhere", async () => {
    const marks = marksOf(sourcesOf({ "/total": location([2, 1, 3, 1.5], { confidence: 0.2 }) }), 1, []);
    const png = await drawValueMarks(await page(), { width: 8, height: 4 }, marks);
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([800, 400]);
    const at = (x: number, y: number): number[] => [...data.subarray((y * 800 + x) * 3, (y * 800 + x) * 3 + 3)];
    expect(at(250, 125)[0]).toBeGreaterThan((at(250, 125)[1] ?? 0) + 10);
    expect(at(600, 300)).toEqual([255, 255, 255]);
    expect(at(250, 175)).toEqual([255, 255, 255]);
  });

  it("returns the picture itself without marks", async () => {
    const png = await page();
    expect(await drawValueMarks(png, { width: 8, height: 4 }, [])).toBe(png);
  });

  it("inkMeter: measures ink against the paper's own gray", () => {
    const data = new Uint8Array(100).fill(200);
    data.fill(40, 0, 10);
    const ink = inkMeter({ width: 10, height: 10, data });
    expect(ink({ left: 0, top: 0, right: 10, bottom: 1 })).toBe(1);
    expect(ink({ left: 0, top: 0, right: 10, bottom: 10 })).toBeCloseTo(0.1);
    expect(ink({ left: 2, top: 5, right: 4, bottom: 8 })).toBe(0);
    expect(ink({ left: 20, top: 5, right: 24, bottom: 8 })).toBe(1);
  });
});
