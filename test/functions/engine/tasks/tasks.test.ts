import { describe, expect, test } from "vitest";
import { parseLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import { run as extract } from "../../../../functions/engine/tasks/extract.run.ts";
import { run as read } from "../../../../functions/engine/tasks/read.run.ts";
import { run as transcribe } from "../../../../functions/engine/tasks/transcribe.run.ts";
import { drawPdf } from "../../../support/drawn-pdf.ts";

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe("tasks", () => {
  test.each([
    ["one page", [1]],
    ["several pages", undefined],
    ["pages named one by one", [1, 2, 3]],
  ])("read writes a layout page by page into the same JSON: %s", async (_name, pageRange) => {
    const lines = (text: string) => [{ text, x: 72, y: 700 }];
    const bytes = await drawPdf([lines("first “page”"), [], lines("third, page")]);
    const options = { mimeType: "application/pdf", ...(pageRange === undefined ? {} : { pageRange }) };
    const { layout, facts } = await readDocument(bytes, options);
    const written = await read.run({ bytes, options });
    expect(parseLayout(written.layout)).toEqual(JSON.parse(JSON.stringify(layout)));
    expect(written.facts).toEqual(facts);
    expect(layout.pages).toHaveLength(pageRange?.length ?? 3);
  });

  test("refuse a layout of an unknown version, and bytes that are not a layout", async () => {
    const layout = { v: 99, provider: "text", logicalPages: true, pageCount: 1, pages: [] };
    await expect(transcribe.run({ layout: encode(layout), format: "plain" })).rejects.toThrow(RangeError);
    const bytes = new Uint8Array([255]);
    await expect(transcribe.run({ layout: bytes, format: "plain" })).rejects.toThrow(TypeError);
    const request = { granularity: "auto" } as const;
    await expect(extract.run({ layout: encode(layout), request })).rejects.toThrow(RangeError);
  });
});
