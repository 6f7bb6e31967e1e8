/** Labels and values that the reader paired: evidence where the place alone says nothing. */

import { describe, expect, it } from "vitest";
import { buildContext } from "../../../../../functions/engine/extraction/rules/document-context.ts";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { blockLines, pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import type { Block, Box, Layout, Page, Word } from "../../../../../functions/ports/layout.ts";
import { PageMaker } from "../../extraction/page.ts";
import { locateIn, wordsAt } from "../../grounding/located.ts";

const boxesOf = (layout: Layout, wanted: string) => {
  const words = layout.pages.flatMap(pageWords);
  const texts = wanted.split(" ");
  const at = words.findIndex((_, index) => texts.every((text, more) => words[index + more]?.text === text));
  if (at < 0) throw new Error(`Nothing says ${wanted}`);
  return words.slice(at, at + texts.length).map(({ box }: Word) => box);
};

/** `label` with its `values`, as they are written on the page. */
function paired(layout: Layout, ...pairs: [label: string, values: string[], confidence?: number][]): Layout {
  const fields = pairs.map(([label, values, confidence = 0.95]) => ({
    label: boxesOf(layout, label),
    values: values.map((value) => boxesOf(layout, value)),
    confidence,
  }));
  return { ...layout, pages: layout.pages.map((page, index) => (index === 0 ? { ...page, fields } : page)) };
}

/** A form that sets its values above their labels, and its boxes at the other end of the line. */
const form = (): Layout =>
  new PageMaker()
    .text(1, 1, "Kestrel")
    .text(5, 1, "Heron")
    .text(1, 1.5, "Favourite")
    .text(1, 1.65, "bird:")
    .text(1, 3, "Insured")
    .text(7, 3, "☒")
    .text(1, 4, "Married")
    .text(7, 4, "☐")
    .layout();

const read = (layout: Layout, properties: Json) =>
  extractOffline(layout, { schema: parseSchema({ type: "object", properties }), granularity: "word" });

const PAIRS: [string, string[]][] = [
  ["Favourite bird:", ["Kestrel", "Heron"]],
  ["Insured", ["☒"]],
  ["Married", ["☐"]],
];

describe("values that a reader paired with labels", () => {
  it("are read wherever they stand, and a label over two rows is one", () => {
    const properties = {
      favourite_bird: { type: "string" },
      insured: { type: "boolean" },
      married: { type: "boolean" },
    };
    expect(read(form(), properties).result).toMatchObject({ favourite_bird: null });
    const layout = paired(form(), ["Favourite bird:", ["Kestrel"]], ["Insured", ["☒"]], ["Married", ["☐"]]);
    const { result, sources } = read(layout, properties);
    expect(result).toEqual({ favourite_bird: "Kestrel", insured: true, married: false });
    expect(wordsAt(layout, sources.locations["/favourite_bird"])).toBe("Kestrel");
    expect(wordsAt(layout, sources.locations["/insured"])).toBe("☒");
    expect(sources.locations["/insured"]?.pageAnchors[0]?.bbox.left).toBeCloseTo(7);
  });

  it("have at most the reader's confidence, and none for two boxes that disagree", () => {
    const doubtful = paired(form(), ["Favourite bird:", ["Kestrel"], 0.3]);
    expect(read(doubtful, { favourite_bird: { type: "string" } }).result).toEqual({ favourite_bird: null });
    const torn = paired(form(), ["Favourite bird:", ["☒", "☐"]]);
    expect(read(torn, { favourite_bird: { type: "boolean" } }).result).toEqual({ favourite_bird: null });
  });

  it("are in the general result once, with all places of a value joined", () => {
    const layout = paired(form(), ...PAIRS);
    const { result, sources } = extractOffline(layout, { granularity: "word" });
    expect(result).toMatchObject({
      key_values: { "Favourite bird": "Kestrel Heron", Insured: true, Married: false },
    });
    expect(wordsAt(layout, sources.locations["/key_values/Favourite bird"])).toBe("Kestrel Heron");
  });

  it("locate a value found by other rules", () => {
    const twice = new PageMaker().text(1, 1, "Kestrel").text(5, 1, "Kestrel").text(1, 1.5, "Bird").text(5, 1.5, "Pub");
    const layout = twice.layout();
    const [, second] = layout.pages.flatMap(pageWords).filter(({ text }) => text === "Kestrel");
    if (second === undefined) throw new Error("There are two");
    const fields = [{ label: boxesOf(layout, "Bird"), values: [[second.box]], confidence: 0.95 }];
    const [page] = layout.pages;
    if (page === undefined) throw new Error("There is a page");
    const located = (one: Layout) =>
      locateIn(one, { bird: "Kestrel" }).sources.locations["/bird"]?.pageAnchors[0]?.bbox.left;
    expect(located(layout)).toBeCloseTo(1);
    expect(located({ ...layout, pages: [{ ...page, fields }] })).toBeCloseTo(5);
    const marked = locateIn(paired(form(), ...PAIRS), { insured: true, married: true }).sources;
    expect(marked.locations["/insured"]?.pageAnchors[0]?.bbox.left).toBeCloseTo(7);
    expect(marked.locations["/married"]).toBeUndefined();
  });

  it("are read on sideways scans, and located as shown", () => {
    const upright = paired(form(), ...PAIRS);
    const turned = {
      ...upright,
      pages: upright.pages.map((page): Page => {
        const turn = ({ left, top, right, bottom }: Box): Box => ({
          left: page.height - bottom,
          top: left,
          right: page.height - top,
          bottom: right,
        });
        const words = (block: Block) =>
          blockLines(block).map((line) => ({
            box: turn(line.box),
            words: line.words.map((word) => ({ ...word, box: turn(word.box) })),
          }));
        const blocks = page.blocks.map((block) => ({ ...block, box: turn(block.box), lines: words(block) }) as Block);
        const fields = (page.fields ?? []).map(({ label, values, confidence }) => ({
          label: label.map(turn),
          values: values.map((value) => value.map(turn)),
          confidence,
        }));
        return { ...page, width: page.height, height: page.width, angle: 90, blocks, fields };
      }),
    };
    const { result, sources } = read(turned, { favourite_bird: { type: "string" }, insured: { type: "boolean" } });
    expect(result).toEqual({ favourite_bird: "Kestrel Heron", insured: true });
    expect(sources.locations["/insured"]?.pageAnchors[0]?.bbox.top).toBeCloseTo(7);
  });

  it("may have boxes without words", () => {
    const layout = form();
    const [page] = layout.pages;
    const nowhere = { left: 0, top: 0, right: 1, bottom: 1 };
    const fields = [{ label: [nowhere], values: [[nowhere]], confidence: 1 }];
    const odd = { ...layout, pages: page === undefined ? [] : [{ ...page, fields }] };
    expect(buildContext(odd, new Map(), []).view.pairs.size).toBe(0);
  });
});
