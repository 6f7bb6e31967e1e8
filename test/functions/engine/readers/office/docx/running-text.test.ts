/** Text that repeats in a Word document, and contents lists. */
import { describe, expect, it } from "vitest";
import { transcribe } from "../../../../../../functions/engine/exports/transcription/transcribe.ts";
import { blockLines } from "../../../../../../functions/engine/layout/page-words.ts";
import { readDocument } from "../../../../../../functions/engine/readers/read-document.ts";
import { DOCX } from "../../../../../../functions/ports/media-types.ts";
import { edgePart, p, r, wordPackage } from "../../../../../support/office-parts.ts";

const read = async (options: Parameters<typeof wordPackage>[0]) =>
  (await readDocument(wordPackage(options), { mimeType: DOCX })).layout;
const withTabs = (text: string): string =>
  p(
    text
      .split("\t")
      .map((part, at) => (at === 0 ? r(part) : `<w:r><w:tab/></w:r>${r(part)}`))
      .join(""),
  );

describe("headers and footers of Word", () => {
  const pages = Array.from({ length: 5 }, (_, at) => [
    p("Keep this page at hand.", at === 0 ? "" : "<w:pageBreakBefore/>"),
    p(`Step ${at + 1} of the work is told here.`),
    p(`${at + 1}`),
  ]);

  it("are the parts of that name only: a paragraph that begins every page stays in the body", async () => {
    const layout = await read({
      body: `${pages.flat().join("")}<w:sectPr><w:headerReference w:type="default" r:id="edge"/></w:sectPr>`,
      parts: { "word/header1.xml": edgePart("hdr", p("The handbook")) },
      relationships: { edge: ["header", "header1.xml"] },
    });
    const apart = layout.pages.flatMap(({ blocks }) => blocks.filter(({ kind }) => /header|footer/.test(kind)));
    expect(apart.map((block) => blockLines(block).flatMap(({ words }) => words.map((word) => word.text)))).toEqual([
      ["The", "handbook"],
    ]);
    const markdown = transcribe(layout, "markdown");
    expect(markdown.match(/Keep this page at hand\./g)).toHaveLength(5);
    for (const at of [1, 2, 3, 4, 5]) expect(markdown).toMatch(new RegExp(`^${at}$`, "m"));
  });
});

describe("a contents list of Word", () => {
  it("keeps the tab before a page number that stands beyond the row, and is no heading", async () => {
    const title = "Scope of the handbook and of everything else that it says on its pages he";
    const layout = await read({ body: [withTabs(`2\t${title}\t12`), withTabs("Appendix\t99"), p("Words.")].join("") });
    expect(transcribe(layout, "plain")).toBe(`2   ${title}   12\n\nAppendix   99\n\nWords.\n`);
    expect(transcribe(layout, "markdown")).toContain(`\n2   ${title}   12\n\nAppendix   99\n`);
  });
});
