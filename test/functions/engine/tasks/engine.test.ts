import { describe, expect, test } from "vitest";
import { parseLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import { documentTasks } from "../../../../functions/engine/tasks/engine.ts";
import { drawPdf } from "../../../support/drawn-pdf.ts";

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe("documentTasks", () => {
  test.each([
    ["one page", [1]],
    ["several pages", undefined],
    ["pages named one by one", [1, 2, 3]],
  ])("writes a layout page by page into the same JSON: %s", async (_name, pageRange) => {
    const lines = (text: string) => [{ text, x: 72, y: 700 }];
    const bytes = await drawPdf([lines("first “page”"), [], lines("third, page")]);
    const options = { mimeType: "application/pdf", ...(pageRange === undefined ? {} : { pageRange }) };
    const { layout, facts } = await readDocument(bytes, options);
    const written = await documentTasks.read({ bytes, options });
    expect(parseLayout(written.layout)).toEqual(JSON.parse(JSON.stringify(layout)));
    expect(written.facts).toEqual(facts);
    expect(layout.pages).toHaveLength(pageRange?.length ?? 3);
  });

  test("refuses the layout of a release that it does not know, and what is no layout", async () => {
    const layout = { v: 99, provider: "text", logicalPages: true, pageCount: 1, pages: [] };
    await expect(documentTasks.transcribe({ layout: encode(layout), format: "plain" })).rejects.toThrow(RangeError);
    const bytes = new Uint8Array([255]);
    await expect(documentTasks.transcribe({ layout: bytes, format: "plain" })).rejects.toThrow(TypeError);
    const request = { granularity: "auto" } as const;
    await expect(documentTasks.extract({ layout: encode(layout), request })).rejects.toThrow(RangeError);
  });
});
