import { describe, expect, it } from "vitest";
import {
  cell,
  describeTemplate,
  fill,
  filledLines,
  linesOf,
  p,
  partOf,
  row,
  t,
  table,
  wordTemplate,
} from "../../../../support/word-template.ts";

const LIST = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';

describe("tags of Word", () => {
  it.each([
    ["{", "}"],
    ["{{", "}}"],
    ["${", "}"],
  ])("are read between %s and %s", async (open, close) => {
    expect(await filledLines(p(`Dear ${open}name${close}!`), { name: "Ada" })).toEqual(["Dear Ada!"]);
  });

  it("leave ordinary braces alone where they are written with two", async () => {
    const body = p('{"a": {"b": 1}} and {{name}} and {x}');
    expect(await filledLines(body, { name: "Ada" })).toEqual(['{"a": {"b": 1}} and Ada and {x}']);
  });

  it("keep the look of their first run where they are split over several", async () => {
    const body = p(`${t("Dear {na", "<w:b/>")}<w:proofErr w:type="spellStart"/>${t("me", "<w:i/>")}${t("} there")}`);
    const { bytes } = await fill({ body }, { name: "Ada" });
    expect(linesOf(bytes)).toEqual(["Dear Ada there"]);
    expect(partOf(bytes)).toContain('<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Ada</w:t></w:r>');
  });

  it("print nothing for absent values, and text as it is for others", async () => {
    const body = p("[{a}][{b.c}][{d}]");
    expect(await filledLines(body, { d: "<w:t>&{x}\u0000</w:t>" })).toEqual(["[][][<w:t>&{x}</w:t>]"]);
    expect(await filledLines(body, { b: { c: 1.5 }, d: false })).toEqual(["[][1.5][false]"]);
  });

  it("reach own members only", async () => {
    const body = p("[{constructor}][{a.__proto__}][{a.length}]");
    expect(await filledLines(body, { a: { length: 3 } })).toEqual(["[][][3]"]);
    await expect(fill({ body: p("{a.b()}") }, {})).rejects.toThrow("The tag {a.b()} in the body, paragraph 1");
  });

  it("keep line breaks and tabs", async () => {
    const { bytes } = await fill({ body: p("{a}") }, { a: "one\r\ntwo\tthree" });
    expect(linesOf(bytes)).toEqual(["one\ntwo\tthree"]);
  });

  it("format values by the filters of the fixed list", async () => {
    const body = p('{d | format(“d. MMMM yyyy”, “de”)} {n | number("de", 2)} {m | currency("EUR", "en")} {s | upper}');
    const lines = await filledLines(body, { d: "2026-03-01", n: 1234.5, m: 2, s: "x" });
    expect(lines).toEqual(["1. März 2026 1.234,50 €2.00 X"]);
  });

  it("fill headers, footers, notes and text boxes, and leave other parts alone", async () => {
    const box = (content: string) =>
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const template = {
      body: `${p("{#items}")}${p("{name}")}${p("{/items}")}${p(box(p("{boxed}")))}`,
      header: p("H {title}"),
      footer: p("F {title}"),
      footnotes: `<w:footnote w:id="1">${p("N {title}")}</w:footnote>`,
      endnotes: `<w:endnote w:id="1">${p("E {title}")}</w:endnote>`,
      styles: "<w:style/>",
    };
    const { bytes } = await fill(template, { title: "T", boxed: "B", items: [{ name: "a" }, { name: "b" }] });
    expect(linesOf(bytes).filter((line) => line !== "")).toEqual(["a", "b", "[picture]B", "B"]);
    for (const [name, line] of [
      ["header", "H T"],
      ["footer", "F T"],
      ["footnotes", "N T"],
      ["endnotes", "E T"],
    ]) {
      expect(linesOf(bytes, `word/${name}1.xml`)).toEqual([line]);
    }
    expect(partOf(bytes)).toContain('<w:headerReference w:type="default" r:id="header"/>');
    const untouched = wordTemplate(template);
    for (const name of ["word/styles1.xml", "_rels/.rels", "[Content_Types].xml", "word/_rels/document.xml.rels"]) {
      expect(partOf(bytes, name)).toBe(partOf(untouched, name));
    }
    expect((await describeTemplate(template)).map(({ name, type }) => `${name} ${type}`)).toEqual([
      "items loop",
      "boxed text",
      "title text",
    ]);
  });

  it("keep headers and footers where the body loops over sections of the document", async () => {
    const end = '<w:sectPr><w:headerReference w:type="default" r:id="header"/></w:sectPr>';
    const body = `${p("{#a}")}${p("{.}", end)}${p("{/a}")}${p("last")}`;
    const { bytes } = await fill({ body, header: p("H {title}") }, { a: ["1", "2"], title: "T" });
    expect(linesOf(bytes)).toEqual(["1", "2", "last"]);
    expect(partOf(bytes).match(/<w:headerReference w:type="default" r:id="header"\/>/gu)).toHaveLength(3);
    expect(linesOf(bytes, "word/header1.xml")).toEqual(["H T"]);
    // A paragraph that ends a section of the document stays, although it holds nothing but a tag.
    const kept = await fill({ body: `${p("{#a}")}${p("{.}")}${p("{/a}", end)}`, header: p("H") }, { a: [] });
    expect(partOf(kept.bytes).match(/<w:sectPr>/gu)).toHaveLength(2);
  });

  it("keep the markup around them as it is written", async () => {
    const body = `<w:p  w:rsidR='00A1'><w:pPr><w:jc w:val="center"/></w:pPr><!-- c -->${t("a &#xE9; ")}${t("{x}")}</w:p>`;
    const before = partOf(wordTemplate({ body }));
    const { bytes } = await fill({ body }, { x: "{x}" });
    expect(partOf(bytes)).toBe(before);
  });
});

describe("sections of Word", () => {
  it("repeat paragraphs between tags of their own, nested, without leaving empty ones", async () => {
    const body = ["{#a}", "{name}:", "{#b}", "- {.}", "{/b}", "{/a}", "end"].map((text) => p(text)).join("");
    const a = [
      { name: "x", b: ["1", "2"] },
      { name: "y", b: [] },
    ];
    expect(await filledLines(body, { a })).toEqual(["x:", "- 1", "- 2", "y:", "end"]);
    expect(await filledLines(body, {})).toEqual(["end"]);
  });

  it("may close and open in one paragraph", async () => {
    const body = ["{#a}", "{.}", "{/a}{^a}", "none", "{/a}"].map((text) => p(text)).join("");
    expect(await filledLines(body, { a: ["1", "2"] })).toEqual(["1", "2"]);
    expect(await filledLines(body, { a: [] })).toEqual(["none"]);
  });

  it("repeat whole paragraphs where their tags are at the ends of text", async () => {
    const body = `${p("{#a}first {x}")}${p("last{/a}")}`;
    expect(await filledLines(body, { a: [{ x: 1 }, { x: 2 }] })).toEqual(["first 1", "last", "first 2", "last"]);
  });

  it("repeat parts of paragraphs where other text shares them", async () => {
    const body = `${p("A {#a}x{.}")}${p("y{/a} Z")}`;
    expect(await filledLines(body, { a: ["1", "2"] })).toEqual(["A x1", "yx2", "y Z"]);
    expect(await filledLines(body, { a: [] })).toEqual(["A  Z"]);
  });

  it("repeat text in a paragraph, and items of a list as paragraphs", async () => {
    expect(await filledLines(p("[{#a}{.}, {/a}]"), { a: ["1", "2"] })).toEqual(["[1, 2, ]"]);
    expect(await filledLines(p("{#a}{.}{/a}", LIST), { a: ["1", "2"] })).toEqual(["1", "2"]);
    expect(await filledLines(`${p("{#a}{.}{/a}", LIST)}${p("end")}`, { a: [] })).toEqual(["end"]);
    const styles =
      '<w:style w:type="paragraph" w:styleId="L"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="M"><w:basedOn w:val="L"/></w:style>';
    const body = p("{#a}{.}{/a}", '<w:pStyle w:val="M"/>');
    expect(await filledLines({ body, styles }, { a: ["1", "2"] })).toEqual(["1", "2"]);
  });

  it("repeat rows of tables, nested, and leave rows of tags alone out", async () => {
    const rows = table(2, row("{#a}{x}", "{y}{/a}"));
    expect(
      await filledLines(rows, {
        a: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      }),
    ).toEqual(["1 | 2", "3 | 4"]);
    const nested = table(1, row("{#a}"), row("{x}"), row("{#b}"), row("- {.}"), row("{/b}"), row("{/a}"));
    const a = [
      { x: "p", b: ["1", "2"] },
      { x: "q", b: [] },
    ];
    expect(await filledLines(nested, { a })).toEqual(["p", "- 1", "- 2", "q"]);
  });

  it("leave no table without rows, and no cell without a paragraph", async () => {
    const { bytes } = await fill({ body: table(2, row("{#a}{x}", "{y}{/a}")) }, {});
    expect(partOf(bytes)).not.toContain("<w:tbl>");
    const inCell = cell(`${p("{#a}")}${p("{.}")}${p("{/a}")}`);
    const filled = await fill({ body: table(2, row(inCell, "b")) }, { a: [] });
    expect(partOf(filled.bytes)).toContain("</w:tcPr><w:p/></w:tc>");
    const atEnd = cell(`<w:sdt><w:sdtPr/><w:sdtContent>${p("{#a}")}${p("{.}")}${p("{/a}")}</w:sdtContent></w:sdt>`);
    const controlled = partOf((await fill({ body: table(2, row(atEnd, "b")) }, {})).bytes);
    expect(controlled).toContain("<w:sdtContent><w:p/></w:sdtContent></w:sdt></w:tc>");
    const box = cell(table(1, row("{#a}{.}{/a}")));
    expect(partOf((await fill({ body: table(2, row(box, "b")) }, {})).bytes)).toContain("</w:tcPr><w:p/></w:tc>");
  });

  it("show a row of a single cell under a condition", async () => {
    const body = table(1, row("top"), row("{#paid}Paid {paid}{/paid}"), row("{^paid}Open{/paid}"));
    expect(await filledLines(body, { paid: "today" })).toEqual(["top", "Paid today"]);
    expect(await filledLines(body, {})).toEqual(["top", "Open"]);
  });

  it("repeat the element that a tag names", async () => {
    const body = table(2, row("{-w:tr a}{x}", "{y}{/a}"), row("{-w:tr b}B{/b}", "z"));
    expect(
      await filledLines(body, {
        a: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      }),
    ).toEqual(["1 | 2", "3 | 4"]);
  });

  it("repeat columns, with rows beside them", async () => {
    const body = table(
      3,
      row("Name", "{#months | columns}{name}", "Sum"),
      row("{#rows}{name}", "{sum}{/months}", "{total}{/rows}"),
    );
    const months = [
      { name: "Jan", sum: 1 },
      { name: "Feb", sum: 2 },
    ];
    const { bytes } = await fill(
      { body },
      {
        months,
        rows: [
          { name: "a", total: 3 },
          { name: "b", total: 4 },
        ],
      },
    );
    expect(linesOf(bytes)).toEqual(["Name | Jan | Feb | Sum", "a | 1 | 2 | 3", "b | 1 | 2 | 4"]);
    expect(
      partOf(bytes)
        .match(/<w:gridCol w:w="\d+"\/>/gu)
        ?.join(""),
    ).toBe('<w:gridCol w:w="2000"/><w:gridCol w:w="1000"/><w:gridCol w:w="1000"/><w:gridCol w:w="2000"/>');
    expect(await describeTemplate({ body })).toMatchObject([
      { name: "months", type: "loop", fields: [{ name: "name" }, { name: "sum" }] },
      { name: "rows", type: "loop", fields: [{ name: "name" }, { name: "total" }] },
    ]);
  });

  it("grow a cell above repeated columns", async () => {
    const head = cell("Title", '<w:gridSpan w:val="2"/>');
    const body = table(2, row(head), row("Name", "{#m | columns}{.}{/m}"));
    const { bytes } = await fill({ body }, { m: ["1", "2", "3"] });
    expect(linesOf(bytes)).toEqual(["Title", "Name | 1 | 2 | 3"]);
    expect(partOf(bytes)).toContain('<w:gridSpan w:val="4"/>');
    await expect(fill({ body }, { m: Array.from({ length: 64 }, () => "x") })).rejects.toThrow("at most 63 columns");
  });

  it("give repeated drawings and controls numbers of their own", async () => {
    const drawing = '<w:r><w:drawing><wp:inline><wp:docPr id="7" name="x"/></wp:inline></w:drawing></w:r>';
    const box =
      '<w:sdt><w:sdtPr><w:tag w:val="c"/><w:id w:val="9"/></w:sdtPr><w:sdtContent><w:r><w:t>d</w:t></w:r></w:sdtContent></w:sdt>';
    const body = `${p("{#a}")}<w:p>${drawing}${box}</w:p>${p("{/a}")}`;
    const xml = partOf((await fill({ body }, { a: [{}, {}, {}] })).bytes);
    const ids = (pattern: RegExp) => [...xml.matchAll(pattern)].map((match) => match[1]);
    expect(new Set(ids(/<wp:docPr id="(\d+)"/gu)).size).toBe(3);
    expect(new Set(ids(/<w:id w:val="(\d+)"\/>/gu)).size).toBe(3);
  });

  it.each([
    ["{#a}x", "The tag {#a} in the body, paragraph 1 is never closed"],
    ["x{/a}", "The tag {/a} in the body, paragraph 1 closes a section that is not open"],
    ["{#a}{#b}{/a}{/b}", "The tag {#b} in the body, paragraph 1 is not closed before {/a}"],
    ["{#a}{/b}", "The tag {/b} in the body, paragraph 1 closes another section than {#a}"],
    ["{@raw}", "The tag {@raw} in the body, paragraph 1 asks for raw markup"],
    ["{x | evil}", "The tag {x | evil} in the body, paragraph 1 has the filter evil"],
    ["{a} {b", "The tag {b in the body, paragraph 1 is never closed"],
    ["{% if x %}", "The tag {% if x %} in the body, paragraph 1 is a statement of Jinja"],
    ["+++INS x+++", "The tag +++INS x+++ in the body, paragraph 1 is a command between plus signs"],
  ])("are refused where they are malformed: %s", async (text, message) => {
    await expect(describeTemplate({ body: p(text) })).rejects.toMatchObject({
      kind: "UnprocessableEntity",
      message: expect.stringContaining(message),
    });
  });

  it("are refused where their tags do not belong together", async () => {
    const body = `${p("{#a}")}${table(1, row("x"), row("{/a}"))}`;
    await expect(describeTemplate({ body })).rejects.toThrow("The tag {#a} in the body, paragraph 1 opens and closes");
  });

  it("are loops or conditions by what is in them", async () => {
    const body = [
      "{name}{#paid}Paid{/paid}{#phone}Tel. {phone}{/phone}{#named}Hello {name}{/named}",
      "{#items}{title}{#tags}{.}{/tags}{/items}{^none}{/none}{%logo}{when | format('yyyy')}",
    ].map((text) => p(text));
    expect(await describeTemplate({ body: body.join("") })).toMatchObject([
      { name: "name", type: "text" },
      { name: "paid", type: "condition" },
      { name: "phone", type: "text" },
      { name: "named", type: "condition" },
      {
        name: "items",
        type: "loop",
        fields: [{ name: "title" }, { name: "tags", type: "loop", fields: [{ name: "." }] }],
      },
      { name: "none", type: "condition" },
      { name: "logo", type: "image" },
      { name: "when", type: "text", valueType: "date", dateFormat: "yyyy" },
    ]);
  });
});
