import { describe, expect, it } from "vitest";
import { linkWords } from "../../../../../functions/engine/readers/pdf/page-links.ts";
import { type PdfPage, withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { readPage } from "../../../../../functions/engine/readers/pdf/read-pdf-page.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import type { Word } from "../../../../../functions/ports/layout.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { type Annotation, annotatedPdf, type Corners, tickedPdf } from "../../../../support/annotated-pdf.ts";
import { lineTexts, pageWords } from "../../../../support/layout.ts";

const onPage = async <T>(annotations: readonly Annotation[], use: (page: PdfPage) => T): Promise<T> => {
  const pdf = await annotatedPdf(annotations);
  return withPdf(pdf, ({ withPage }) => withPage(0, use));
};
const beside: Corners = [400, 690, 420, 710];

describe("notes", () => {
  it("are what people wrote beside the text, where they stand", async () => {
    const notes = await onPage(
      [
        { subtype: "Text", rect: beside, contents: "Please check" },
        { subtype: "Highlight", rect: [72, 696, 120, 712], contents: "Which terms?" },
        { subtype: "FreeText", rect: [72, 500, 200, 520], contents: "Typed, without a look" },
      ],
      ({ notes }) => notes,
    );
    expect(notes.map(({ text }) => text)).toEqual(["Please check", "Which terms?", "Typed, without a look"]);
    expect(notes[0]?.box).toEqual({
      left: expect.closeTo(400, 1),
      top: expect.closeTo(82, 1),
      right: expect.closeTo(420, 1),
      bottom: expect.closeTo(102, 1),
    });
  });

  it("that nobody sees are none: hidden, not viewed, empty, a review's state, off the page, a window for another", async () => {
    const notes = await onPage(
      [
        { subtype: "Text", rect: beside, contents: "hidden", flags: 2 },
        { subtype: "Text", rect: beside, contents: "not viewed", flags: 32 },
        { subtype: "Text", rect: beside, contents: "  " },
        { subtype: "Text", rect: beside, contents: "Accepted", stateModel: "Review" },
        { subtype: "Text", rect: [900, 690, 920, 710], contents: "off the page" },
        { subtype: "Popup", rect: beside, contents: "window" },
      ],
      ({ notes }) => notes,
    );
    expect(notes).toEqual([]);
  });
});

describe("links", () => {
  const link = (uri: string, more: Partial<Annotation> = {}): Annotation => ({
    subtype: "Link",
    rect: [120, 695, 152, 712],
    uri,
    ...more,
  });

  it("of the web, mail and telephones are read, others are not", async () => {
    const uris = ["https://example.com/a?b=1", "mailto:a@example.com", "tel:+4930123", "http://example.com"];
    const others = ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "not a link"];
    const links = await onPage(
      [...uris, ...others].map((uri) => link(uri)),
      ({ links }) => links,
    );
    expect(links.map(({ uri }) => uri)).toEqual(uris);
    expect(await onPage([link("https://example.com", { action: "Launch" })], ({ links }) => links)).toEqual([]);
    expect(await onPage([link("https://example.com", { flags: 2 })], ({ links }) => links)).toEqual([]);
  });

  it("lie on the words whose middle they cover, and only on those", async () => {
    const words = await onPage([link("https://example.com/terms")], (page) => {
      const own: Word[] = pageWords(readPage(page, 1));
      linkWords(own, page.links);
      return own;
    });
    expect(words.filter(({ link }) => link !== undefined).map(({ text, link }) => [text, link])).toEqual([
      ["terms", "https://example.com/terms"],
    ]);
  });

  it("over several lines have a place in each", async () => {
    const rows = [700, 650].map((y) => [110, y + 12, 165, y + 12, 110, y, 165, y]);
    const links = await onPage([link("https://example.com", { quads: rows.flat() })], ({ links }) => links);
    expect(links.map(({ box }) => Math.round(box.bottom))).toEqual([92, 142]);
  });

  it("as large as can be cost no time", () => {
    const everywhere = { box: { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 }, uri: "https://example.com" };
    const word: Word = { text: "one", box: { left: 1, top: 1, right: 2, bottom: 1.2 } };
    const started = performance.now();
    linkWords(
      [word],
      Array.from({ length: 200 }, () => everywhere),
    );
    expect(word.link).toBe("https://example.com");
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("boxes to tick", () => {
  const lines = async (look: "lines" | "letter"): Promise<string[]> =>
    lineTexts((await readDocument(await tickedPdf(look), { mimeType: PDF })).layout.pages[0]);

  it("whose looks are drawings are words before their labels", async () => {
    expect(await lines("lines")).toEqual(["☒ Married", "☐ Single"]);
  });

  it("that show a letter as their tick keep it", async () => {
    expect(await lines("letter")).toEqual(["✔ Married", "☐ Single"]);
  });
});
