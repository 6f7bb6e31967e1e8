import { describe, expect, it } from "vitest";
import { linkWords } from "../../../../../functions/engine/readers/pdf/page-links.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import type { PdfPage } from "../../../../../functions/engine/readers/pdf/pdf-page.ts";
import { readPdfPage } from "../../../../../functions/engine/readers/pdf/read-pdf-page.ts";
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

describe("readAnnotations notes", () => {
  it("are the comments on a page, at their places", async () => {
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

  it("leave out invisible ones: hidden, not viewed, empty, a review's state, off the page, popups", async () => {
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

describe("readAnnotations links", () => {
  const link = (uri: string, more: Partial<Annotation> = {}): Annotation => ({
    subtype: "Link",
    rect: [120, 695, 152, 712],
    uri,
    ...more,
  });

  it("lead to the web, mail and telephone only", async () => {
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

  it("are set on the words whose centre they cover", async () => {
    const words = await onPage([link("https://example.com/terms")], (page) => {
      const own: Word[] = pageWords(readPdfPage(page, 1));
      linkWords(own, page.links);
      return own;
    });
    expect(words.filter(({ link }) => link !== undefined).map(({ text, link }) => [text, link])).toEqual([
      ["terms", "https://example.com/terms"],
    ]);
  });

  it("have a place on each line they span", async () => {
    const rows = [700, 650].map((y) => [110, y + 12, 165, y + 12, 110, y, 165, y]);
    const links = await onPage([link("https://example.com", { quads: rows.flat() })], ({ links }) => links);
    expect(links.map(({ box }) => Math.round(box.bottom))).toEqual([92, 142]);
  });

  it("of the largest size cost no time", () => {
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

describe("readAnnotations checkboxes", () => {
  const lines = async (look: "lines" | "letter"): Promise<string[]> =>
    lineTexts((await readDocument(await tickedPdf(look), { mimeType: PDF })).layout.pages[0]);

  it("drawn as graphics become words before their labels", async () => {
    expect(await lines("lines")).toEqual(["☒ Married", "☐ Single"]);
  });

  it("keep a letter that they show as their mark", async () => {
    expect(await lines("letter")).toEqual(["✔ Married", "☐ Single"]);
  });
});
