import { describe, expect, it } from "vitest";
import {
  parseLayout,
  readLayoutHead,
  readLayoutPages,
  writeLayout,
} from "../../../../functions/engine/layout/layout-file.ts";
import { LAYOUT_VERSION, type Layout, type Page } from "../../../../functions/ports/layout.ts";

const page = (number: number, text: string): Page => {
  const box = { left: 1, top: 1, right: 2, bottom: 1.2 };
  const lines = [{ box, words: [{ text, box }] }];
  const blocks: Page["blocks"] = [{ kind: "paragraph", box, lines }];
  return { number, width: 8.5, height: 11, unit: "inch", rotation: 0, blocks };
};

const layout = (pages: Page[], more: Partial<Layout> = {}): Layout => ({
  v: LAYOUT_VERSION,
  provider: "test",
  logicalPages: false,
  pageCount: 9,
  pages,
  ...more,
});

const rangesOf = (bytes: Uint8Array) => {
  const asked: number[] = [];
  const read = async ({ start, end }: { start: number; end: number }) => {
    const part = bytes.subarray(start, end + 1);
    asked.push(part.length);
    return part;
  };
  return { asked, read };
};

describe("layout file", () => {
  it("is one JSON object that restores the layout", () => {
    const bytes = writeLayout(layout([page(1, "größer"), page(2, "漢字")]));
    expect(JSON.parse(Buffer.from(bytes).toString("utf8"))).toMatchObject({ v: 3, pageCount: 9 });
    expect(parseLayout(bytes)).toEqual(layout([page(1, "größer"), page(2, "漢字")]));
    expect(parseLayout(writeLayout(layout([])))).toEqual(layout([]));
  });

  it("writeLayout empties the layout while writing", () => {
    const given = layout([page(1, "a")]);
    writeLayout(given);
    expect(given.pages).toEqual([]);
  });

  it("reads page by page, also pages whose text holds the file's own markers", async () => {
    const pages = [page(2, 'a,"pages":[b'), page(5, "größer"), page(7, "end")];
    const { asked, read } = rangesOf(writeLayout(layout(pages.map((one) => structuredClone(one)))));
    expect(await readLayoutPages(read, [7, 5, 1])).toEqual(pages.slice(1));
    expect(asked).toHaveLength(3);
    expect(asked.slice(1).every((size) => size < 300)).toBe(true);
  });

  it("reads its head, however long, whatever an attachment's text says", async () => {
    const attachments = [{ name: "x", mimeType: "text/xml", size: 1, content: `,"pages":[${"y".repeat(200_000)}` }];
    const { read } = rangesOf(writeLayout(layout([page(1, "a")], { attachments })));
    expect((await readLayoutHead(read)).head).toMatchObject({ attachments, index: [[1, expect.any(Number), 1]] });
    expect(await readLayoutPages(read, [1])).toEqual([page(1, "a")]);
  });

  it("reads a file of an earlier release; refuses later releases and other files", async () => {
    const first = JSON.stringify({ ...layout([page(1, "a")]), v: 1 });
    expect(parseLayout(Buffer.from(first))).toEqual(layout([page(1, "a")]));
    expect(() => parseLayout(Buffer.from(first.replace('"v":1', '"v":4')))).toThrow(RangeError);
    await expect(readLayoutHead(rangesOf(Buffer.from("{}")).read)).rejects.toThrow(RangeError);
    await expect(readLayoutHead(rangesOf(Buffer.from(first)).read)).rejects.toThrow("no index");
  });

  it("reads version 2 with unpacked pages, whole and page by page", async () => {
    const pages = [page(1, "a"), page(4, "größer")];
    const { pages: _, ...facts } = layout([]);
    const index = pages.map((one) => [one.number, Buffer.byteLength(JSON.stringify(one)), 1]);
    const second = Buffer.from(JSON.stringify({ ...facts, v: 2, index, pages }));
    expect(parseLayout(second)).toEqual(layout(pages));
    const { read } = rangesOf(second);
    expect(await readLayoutPages(read, [4])).toEqual(pages.slice(1));
    expect((await readLayoutHead(read)).head.v).toBe(LAYOUT_VERSION);
  });
});
