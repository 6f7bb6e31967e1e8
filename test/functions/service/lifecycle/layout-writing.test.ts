/** The layout as the API shows it, written part by part: the same text whatever the parts are. */
import { describe, expect, it } from "vitest";
import { readLayoutHead, writeLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { LayoutLists, pageText } from "../../../../functions/engine/layout/layout-lists.ts";
import { LAYOUT_PARTS, viewPage } from "../../../../functions/engine/layout/page-view.ts";
import { viewPart } from "../../../../functions/engine/layout/view-part.ts";
import type { Block, Box, Page } from "../../../../functions/ports/layout.ts";
import { writeLayoutView } from "../../../../functions/service/lifecycle/views/layout-writing.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";

const BOX: Box = { left: 1, top: 2, right: 3, bottom: 4 };
const lineOf = (text: string) => ({ box: BOX, words: text.split(" ").map((word) => ({ text: word, box: BOX })) });

/** Sections that go over pages, tables, a page without words, and signs that JSON escapes. */
const pagesOf = (): Page[] =>
  Array.from({ length: 9 }, (_, at) => {
    const blocks: Block[] = [{ kind: "header", box: BOX, lines: [lineOf(`Page ${at}`)] }];
    if (at % 4 === 2) blocks.push({ kind: "heading", box: BOX, lines: [lineOf(`Chapter ${at}`)] });
    blocks.push({ kind: "paragraph", box: BOX, lines: [lineOf(`"Grüße" from\\page ${at} 😀`), lineOf("and more")] });
    if (at % 3 === 0) {
      const cell = { row: 0, column: 0, rowSpan: 1, columnSpan: 1, box: BOX, lines: [lineOf(`cell ${at}`)] };
      blocks.push({ kind: "table", box: BOX, rows: 1, columns: 1, headerRows: 0, cells: [cell] });
    }
    return { number: at + 1, width: 8, height: 11, unit: "inch", rotation: 0, blocks: at === 5 ? [] : blocks };
  });

/** The answer from the pages as a whole. */
function wholeView(chosen: readonly number[] | undefined, parts: readonly (typeof LAYOUT_PARTS)[number][]) {
  const lists = new LayoutLists(parts);
  const pages: unknown[] = [];
  let offset = 0;
  for (const page of pagesOf()) {
    if (chosen?.includes(page.number) ?? true) {
      pages.push(viewPage(page, offset, parts));
      lists.add(page, offset);
    }
    offset += pageText(page).length + 1;
  }
  const content = parts.includes("content")
    ? { contentFormat: "text", content: pagesOf().map(pageText).join("\n") }
    : {};
  return { version: 1, ...content, ...lists.lists(), pages };
}

async function writtenView(
  chosen: readonly number[] | undefined,
  parts: readonly (typeof LAYOUT_PARTS)[number][],
  partBytes: number,
) {
  const file = Buffer.from(writeLayout({ v: 3, provider: "test", logicalPages: false, pages: pagesOf() } as never));
  const read = async ({ start, end }: { start: number; end: number }) => file.subarray(start, end + 1);
  let asked = 0;
  const engine = {
    run: async (_task: unknown, payload: Parameters<typeof viewPart>[0]) => {
      asked += 1;
      return viewPart(payload);
    },
  };
  const org = {
    config: { inlineLayoutBytes: 300 },
    engines: { documents: engine, clock: { now: () => 0 } },
  } as unknown as Organization;
  const wanted = { ...(chosen === undefined ? {} : { pages: chosen }), parts };
  const source = { read, parsed: await readLayoutHead(read) };
  const pieces: Buffer[] = [];
  for await (const piece of writeLayoutView(org, source, { version: 1 }, wanted, partBytes)) pieces.push(piece);
  return { view: JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown, asked };
}

describe("writeLayoutView", () => {
  it.each([
    [undefined, LAYOUT_PARTS],
    [[2, 3, 7, 8], LAYOUT_PARTS],
    [[6], ["words", "content"] as const],
    [[99], LAYOUT_PARTS],
    [undefined, ["words"] as const],
    [[1, 5], ["sections", "paragraphs"] as const],
  ])("writes pages %j with %j as if all were viewed at once", async (chosen, parts) => {
    for (const partBytes of [1, 1500, 1_000_000]) {
      expect((await writtenView(chosen, parts, partBytes)).view).toEqual(wholeView(chosen, parts));
    }
  });

  it("views what is long in the engine, in parts", async () => {
    expect((await writtenView(undefined, LAYOUT_PARTS, 1)).asked).toBeGreaterThan(3);
    expect((await writtenView([6], ["words"], 1)).asked).toBe(0);
  });
});
