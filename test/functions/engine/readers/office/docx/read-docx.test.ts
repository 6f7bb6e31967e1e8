import { describe, expect, it } from "vitest";
import { blockLines, lineText } from "../../../../../../functions/engine/layout/page-words.ts";
import { readOfficeDocument } from "../../../../../../functions/engine/readers/office/read-office.ts";
import type { Block, Layout, TableBlock } from "../../../../../../functions/ports/layout.ts";
import { lineTexts, wordIn } from "../../../../../support/layout.ts";
import { edgePart, p, r, type WordOptions, wordPackage } from "../../../../../support/office-parts.ts";

const read = (options: WordOptions | string): Layout =>
  readOfficeDocument(wordPackage(typeof options === "string" ? { body: options } : options), "docx");
const blocksOf = (layout: Layout): Block[] => layout.pages.flatMap((page) => page.blocks);
const text = (block: Block): string => blockLines(block).map(lineText).join("|");
/** Kinds and texts. */
const seen = (options: WordOptions | string): [string, string][] =>
  blocksOf(read(options)).map((block) => [block.kind, text(block)]);
const texts = (options: WordOptions | string): string[] => blocksOf(read(options)).map(text);
const style = (id: string, name: string, rest = "", type = "paragraph"): string =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${rest}</w:style>`;

describe("readWord headings", () => {
  const styles =
    style("berschrift1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>') +
    style("Mine", "My own", '<w:basedOn w:val="Between"/>') +
    style("Between", "Between", '<w:basedOn w:val="berschrift1"/>') +
    style("Kapitel", "Überschrift 3") +
    style("T", "Title") +
    style("Loop", "a", '<w:basedOn w:val="Loop2"/>') +
    style("Loop2", "b", '<w:basedOn w:val="Loop"/>') +
    style("TocHeading", "TOC Heading", '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>');
  const levels = (body: string): (number | undefined)[] =>
    blocksOf(read({ body, styles })).map((block) => (block.kind === "heading" ? block.level : undefined));
  const styled = (id: string, more = ""): string => p("x", `<w:pStyle w:val="${id}"/>${more}`);

  it("follow the style's outline level, also through its bases", () => {
    expect(levels(styled("berschrift1") + styled("Mine"))).toEqual([1, 1]);
  });

  it("follow the style's name in other languages, and titles", () => {
    expect(levels(styled("Kapitel") + styled("T"))).toEqual([3, 1]);
  });

  it("follow the paragraph's own outline level, up to six; body text is no heading", () => {
    const own = (level: number): string => p("x", `<w:outlineLvl w:val="${level}"/>`);
    expect(levels(own(1) + own(8) + own(9) + styled("TocHeading"))).toEqual([2, 6, undefined, undefined]);
  });

  it("end a loop of styles based on each other", () => {
    expect(levels(styled("Loop"))).toEqual([undefined]);
  });
});

describe("readWord text", () => {
  it("counts tracked changes as accepted", () => {
    const body =
      p(
        `<w:ins>${r("new ")}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>${r("away")}</w:moveFrom><w:moveTo>${r("here")}</w:moveTo>`,
      ) +
      p("joined ", '<w:rPr><w:del w:id="1"/></w:rPr>') +
      p("to this");
    expect(texts(body)).toEqual(["new here", "joined to this"]);
  });

  it("keeps the text of a last paragraph whose mark was deleted", () => {
    expect(texts(p("kept", '<w:rPr><w:del w:id="1"/></w:rPr>'))).toEqual(["kept"]);
  });

  it("leaves out hidden text, by run or style", () => {
    const styles = style("Secret", "Secret", "<w:rPr><w:vanish/></w:rPr>", "character");
    const body = p(
      r("seen ") +
        r("hidden", "<w:vanish/>") +
        r("styled", '<w:rStyle w:val="Secret"/>') +
        r("shown", '<w:vanish w:val="0"/>'),
    );
    expect(texts({ body, styles })).toEqual(["seen shown"]);
  });

  it("shows the results of fields, also nested, without their instructions", () => {
    const mark = (type: string, data = ""): string =>
      `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`;
    const instruction = "<w:r><w:instrText> IF 1 </w:instrText></w:r>";
    const inner = mark("begin") + instruction + mark("separate") + r("inner") + mark("end");
    const body = p(
      r("a ") + mark("begin") + instruction + inner + mark("separate") + r("result") + mark("end") + r(" z"),
    );
    expect(texts(body)).toEqual(["a result z"]);
    const box = '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>';
    const list =
      '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="A"/><w:listEntry w:val="B"/></w:ddList></w:ffData>';
    expect(texts(p(mark("begin", box) + mark("end") + mark("begin", list) + mark("end")))).toEqual(["☒B"]);
  });

  it("keeps links to the web, mail and telephone only", () => {
    const link = (id: string, label: string): string => `<w:hyperlink r:id="${id}">${r(label)}</w:hyperlink> `;
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "https://b.example"</w:instrText></w:r>' +
      `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${r("field")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const layout = read({
      body: p(link("a", "web") + r(" ") + link("b", "script") + r(" ") + link("c", "file")) + p(field),
      relationships: {
        a: ["hyperlink", "!https://a.example/x"],
        b: ["hyperlink", "!javascript:alert(1)"],
        c: ["hyperlink", "!file:///etc/passwd"],
      },
    });
    expect(wordIn(layout, "web").link).toBe("https://a.example/x");
    expect(wordIn(layout, "field").link).toBe("https://b.example");
    for (const word of ["script", "file"]) expect(wordIn(layout, word)).not.toHaveProperty("link");
  });

  it("includes content controls, symbols, breaks and tabs", () => {
    const control = `<w:sdt><w:sdtPr><w:alias w:val="Name"/></w:sdtPr><w:sdtContent>${p("in a control")}</w:sdtContent></w:sdt>`;
    const signs = p(
      '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:t>ok</w:t><w:br/><w:t>below</w:t><w:noBreakHyphen/><w:t>x</w:t><w:softHyphen/></w:r>',
    );
    expect(texts(control + signs)).toEqual(["in a control", "✓ok|below-x"]);
  });

  it("keeps spaces where the file preserves them, and always no-break spaces", () => {
    const body = p(
      '<w:r><w:t> a </w:t></w:r><w:r><w:t xml:space="preserve"> b</w:t></w:r><w:r><w:t>\u00a0c</w:t></w:r>',
    );
    expect(texts(body)).toEqual(["a b c"]);
  });

  it("is bold by its run, character style or paragraph style", () => {
    const styles =
      style("B", "B", "<w:rPr><w:b/></w:rPr>") + style("Strong", "Strong", "<w:rPr><w:b/></w:rPr>", "character");
    const layout = read({
      styles,
      body:
        p(r("one") + r(" two", '<w:b w:val="false"/>'), '<w:pStyle w:val="B"/>') +
        p(r("three", '<w:rStyle w:val="Strong"/>')),
    });
    expect(["one", "two", "three"].map((word) => wordIn(layout, word).bold ?? false)).toEqual([true, false, true]);
  });

  it("shows a formula as one line", () => {
    const fraction =
      "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b+c</m:t></m:r></m:den></m:f></m:oMath>";
    expect(texts(p(r("x = ") + fraction))).toEqual(["x = a / (b+c)"]);
  });
});

describe("readWord alternate content", () => {
  const box = (content: string): string =>
    `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${p(content)}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>` +
    `<mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${p(content)}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>`;

  it("reads a text box once, after its paragraph", () => {
    expect(texts(p(`${r("around")}<w:r>${box("in the box")}</w:r>`))).toEqual(["around", "in the box"]);
  });

  it("reads a text box once in a cell", () => {
    const table = `<w:tbl><w:tr><w:tc>${p(`${r("cell")}<w:r>${box("boxed")}</w:r>`)}</w:tc></w:tr></w:tbl>`;
    expect(texts(table)).toEqual(["cell|boxed"]);
  });
});

describe("readWord tables", () => {
  const cell = (content: string, properties = ""): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith("<") ? content : p(content)}</w:tc>`;
  const row = (cells: string[], properties = ""): string =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells.join("")}</w:tr>`;
  const tableOf = (rows: string[]): TableBlock => {
    const block = blocksOf(read(`<w:tbl>${rows.join("")}</w:tbl>`))[0];
    if (block?.kind !== "table") throw new Error("There is no table");
    return block;
  };
  const spans = (table: TableBlock): unknown[] =>
    table.cells.map(({ row: at, column, rowSpan, columnSpan, lines }) => [
      at,
      column,
      rowSpan,
      columnSpan,
      lines.map(lineText).join("|"),
    ]);

  it("place spanning cells once, where they begin", () => {
    const merged = '<w:vMerge w:val="restart"/>';
    const table = tableOf([
      row([cell("wide", '<w:gridSpan w:val="2"/>'), cell("tall", merged)], "<w:tblHeader/>"),
      row([cell("a"), cell("b"), cell("<w:p/>", "<w:vMerge/>")]),
    ]);
    expect([table.rows, table.columns, table.headerRows]).toEqual([2, 3, 1]);
    expect(spans(table)).toEqual([
      [0, 0, 1, 2, "wide"],
      [0, 2, 2, 1, "tall"],
      [1, 0, 1, 1, "a"],
      [1, 1, 1, 1, "b"],
    ]);
    expect(table.cells[1]?.box.bottom).toBe(table.box.bottom);
  });

  it("include rows and cells in content controls, without deleted rows", () => {
    const table = tableOf([
      `<w:sdt><w:sdtContent>${row([cell("a"), `<w:sdt><w:sdtContent>${cell("b")}</w:sdtContent></w:sdt>`])}</w:sdtContent></w:sdt>`,
      row([cell("gone"), cell("gone")], "<w:del/>"),
      row([cell("c"), cell("d")]),
    ]);
    expect(spans(table).map((one) => (one as unknown[])[4])).toEqual(["a", "b", "c", "d"]);
  });

  it("turn a nested table into rows of text, and several paragraphs into lines", () => {
    const inner = `<w:tbl>${row([cell("x"), cell("y")])}${row([cell("z"), cell("")])}</w:tbl>`;
    const table = tableOf([row([cell(p("above") + inner + p("below")), cell("beside")])]);
    expect(spans(table)).toEqual([
      [0, 0, 1, 1, "above|x|y|z|below"],
      [0, 1, 1, 1, "beside"],
    ]);
  });

  it("take a first row of bold words as header where the file states none", () => {
    const bold = (word: string): string => cell(p(r(word, "<w:b/>")));
    expect(tableOf([row([bold("Item"), bold("Price")]), row([cell("Chair"), cell("5")])]).headerRows).toBe(1);
    expect(tableOf([row([cell("Chair"), cell("oak")]), row([cell("Table"), cell("pine")])]).headerRows).toBe(0);
  });

  it("move a row to the next page whole, and mark the table as continued", () => {
    const rows = Array.from({ length: 40 }, (_, index) => row([cell(p(`r${index}`) + p("second line"))]));
    const layout = read(`<w:tbl>${rows.join("")}</w:tbl>`);
    const tables = layout.pages.map((page) => page.blocks[0] as TableBlock);
    expect(tables.map((table) => [table.rows, table.continued])).toEqual([
      [33, undefined],
      [7, true],
    ]);
    expect(tables[1]?.cells[0]?.lines.map(lineText)).toEqual(["r33", "second line"]);
  });

  it("continue a row-spanning cell after a page break as an empty cell", () => {
    const rows = Array.from({ length: 70 }, (_, index) =>
      row([
        cell(index === 0 ? "tall" : "<w:p/>", index === 0 ? '<w:vMerge w:val="restart"/>' : "<w:vMerge/>"),
        cell(`r${index}`),
      ]),
    );
    const [first, second] = read(`<w:tbl>${rows.join("")}</w:tbl>`).pages.map((page) => page.blocks[0] as TableBlock);
    expect([first?.cells[0]?.rowSpan, second?.cells[0]?.rowSpan, second?.cells[0]?.lines]).toEqual([66, 4, []]);
  });
});

describe("readWord notes", () => {
  const note = (kind: string, id: number, content: string): string =>
    `<w:${kind} w:id="${id}">${p(`<w:r><w:${kind}Ref/></w:r>${r(content)}`)}</w:${kind}>`;
  const reference = (kind: string, id: number): string => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;

  it("have marks in the text and before the note; endnotes come last", () => {
    const options = {
      body: p(r("First") + reference("endnote", 5)) + p(r("Second") + reference("footnote", 2) + r(".")),
      footnotes: `<w:footnote w:id="0" w:type="separator">${p("---")}</w:footnote>${note("footnote", 2, "a foot")}`,
      endnotes: note("endnote", 5, "an end"),
    };
    expect(seen(options)).toEqual([
      ["paragraph", "First [i]"],
      ["paragraph", "Second [1]."],
      ["note", "[1] a foot"],
      ["note", "[i] an end"],
    ]);
  });

  it("stand before the next page that the file records", () => {
    const layout = read({
      body: p(r("One") + reference("footnote", 1)) + p('<w:r><w:br w:type="page"/></w:r>') + p("Two"),
      footnotes: note("footnote", 1, "foot"),
    });
    expect(layout.pages.map((page) => lineTexts(page))).toEqual([["One [1]", "[1] foot"], ["Two"]]);
  });
});

describe("readWord sections", () => {
  const section = (references: string, more = ""): string => `<w:sectPr>${references}${more}</w:sectPr>`;
  const reference = (kind: string, id: string, type = "default"): string =>
    `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;
  const parts = {
    "word/h1.xml": edgePart("hdr", p("Acme")),
    "word/h2.xml": edgePart("hdr", p("Acme")),
    "word/h3.xml": edgePart("hdr", p("Annex")),
    "word/f1.xml": edgePart("ftr", p("Page 1")),
  };
  const links = {
    h1: ["header", "h1.xml"],
    h2: ["header", "h2.xml"],
    h3: ["header", "h3.xml"],
    f1: ["footer", "f1.xml"],
  } as const;

  it("put headers before and footers after the section that first has them, each text once", () => {
    const body =
      p("One", section(reference("header", "h1") + reference("footer", "f1"))) +
      p("Two", section(reference("header", "h2"))) +
      p("Three") +
      section(reference("header", "h3"), '<w:type w:val="continuous"/>');
    const layout = read({ body, relationships: links, parts });
    expect(layout.pages.map((page) => page.blocks.map((block) => [block.kind, text(block)]))).toEqual([
      [
        ["header", "Acme"],
        ["paragraph", "One"],
        ["footer", "Page 1"],
      ],
      [
        ["paragraph", "Two"],
        ["header", "Annex"],
        ["paragraph", "Three"],
      ],
    ]);
  });

  it("read headers of first and even pages only where these differ", () => {
    const references = reference("header", "h1", "first") + reference("header", "h3", "even");
    expect(texts({ body: p("One") + section(references), relationships: links, parts })).toEqual(["One"]);
    expect(texts({ body: p("One") + section(references, "<w:titlePg/>"), relationships: links, parts })).toEqual([
      "Acme",
      "One",
    ]);
    const settings = "<w:evenAndOddHeaders/>";
    expect(texts({ body: p("One") + section(references), relationships: links, parts, settings })).toEqual([
      "Annex",
      "One",
    ]);
  });
});

it("end pages where Word recorded a page end, and before paragraphs with a page break", () => {
  const body =
    p("One") +
    p(`<w:r><w:lastRenderedPageBreak/></w:r>${r("Two")}`) +
    p("Three", "<w:pageBreakBefore/>") +
    p(`${r("a")}<w:r><w:lastRenderedPageBreak/></w:r>${r("b")}`);
  expect(read(body).pages.map((page) => lineTexts(page))).toEqual([["One"], ["Two"], ["Three", "a"], ["b"]]);
});

it("split a paragraph over two pages into a block on each, with the marker on the first", () => {
  const numbering =
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
  const list = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
  const layout = read({ body: p("word ".repeat(1_500), list), numbering });
  expect(
    layout.pages.map((page) => page.blocks.map((block) => (block.kind === "list-item" ? block.marker : block.kind))),
  ).toEqual([["1."], [undefined]]);
});
