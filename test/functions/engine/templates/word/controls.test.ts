import { describe, expect, it } from "vitest";
import { relationships } from "../../../../support/office-parts.ts";
import {
  cell,
  control,
  describeTemplate,
  fill,
  linesOf,
  p,
  partOf,
  t,
  table,
  wordTemplate,
} from "../../../../support/word-template.ts";

const tag = (name: string): string => `<w:tag w:val="${name}"/>`;
const PLACEHOLDER = "<w:showingPlcHdr/>";
const ASK = t("Click here", '<w:rStyle w:val="PlaceholderText"/>');
const CHECKBOX =
  '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/></w14:checkbox>';
const LIST =
  '<w:dropDownList><w:listItem w:displayText="Choose" w:value=""/><w:listItem w:displayText="Red" w:value="r"/><w:listItem w:displayText="Blue" w:value="b"/></w:dropDownList>';
const DATE =
  '<w:date w:fullDate="2020-01-01T00:00:00Z"><w:dateFormat w:val="dddd, d. MMMM yyyy"/><w:lid w:val="de-DE"/><w:storeMappedDataAs w:val="dateTime"/></w:date>';

describe("content controls of Word", () => {
  it("are listed by tag, title, or number, with types and choices", async () => {
    const body = [
      p(control(`<w:alias w:val="Full name"/>${tag("name")}<w:text/>`, t("Ada"))),
      p(control('<w:alias w:val="Notes"/><w:text w:multiLine="1"/>', t("n"))),
      p(control(CHECKBOX, t("☐"))),
      p(control(`${tag("colour")}${LIST}`, t("Red"))),
      p(control(`${tag("other")}${LIST.replaceAll("dropDownList", "comboBox")}`, t("Green"))),
      p(control(`${tag("day")}${PLACEHOLDER}${DATE}`, ASK)),
      p(control(`${tag("photo")}<w:picture/>`, "")),
      control(`${tag("frame")}`, p("{inner}")),
      control("<w:docPartObj/>", p("contents")),
    ].join("");
    expect(await describeTemplate({ body })).toMatchObject([
      { name: "name", type: "text", tooltip: "Full name", value: "Ada" },
      { name: "Notes", type: "multiline", value: "n" },
      { name: "control_3", type: "checkbox", value: "false" },
      { name: "colour", type: "dropdown", options: ["r", "b"], optionLabels: ["Red", "Blue"], value: "r", flags: [] },
      { name: "other", type: "dropdown", value: "Green", flags: ["edit"] },
      { name: "day", type: "text", value: null, valueType: "date", dateFormat: "dddd, d. MMMM yyyy" },
      { name: "photo", type: "image" },
      { name: "inner", type: "text" },
    ]);
  });

  it("take text, and stay controls", async () => {
    const plain = control(`${tag("a")}<w:text/>`, t("old", "<w:b/>"));
    const lines = control(`${tag("b")}${PLACEHOLDER}<w:text w:multiLine="1"/>`, ASK);
    const rich = control(tag("c"), `${p("one", '<w:jc w:val="center"/>')}${p("two")}`);
    const inRow = table(1, `<w:tr>${control(tag("d"), cell("old"))}</w:tr>`);
    const { bytes } = await fill(
      { body: `${p(plain)}${p(lines)}${rich}${inRow}` },
      { a: "x\ny", b: "x\ny", c: "C", d: "D" },
    );
    expect(linesOf(bytes)).toEqual(["x y", "x\ny", "C", "D"]);
    const xml = partOf(bytes);
    expect(xml.match(/<w:sdt>/gu)).toHaveLength(4);
    expect(xml).toContain('<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">x y</w:t>');
    expect(xml).not.toContain("showingPlcHdr");
    expect(xml).not.toContain("PlaceholderText");
    expect(xml).toContain('<w:sdtContent><w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r>');
  });

  it("print nothing where they ask for a value and get none", async () => {
    const asks = control(`${tag("a")}${PLACEHOLDER}<w:text/>`, ASK);
    const { bytes } = await fill({ body: `${p(asks)}${p("{b}")}${p(control(tag("c"), t("stays")))}` }, { b: "x" });
    expect(linesOf(bytes)).toEqual(["", "x", "stays"]);
  });

  it("stand beside braces that are text where no tag is whole", async () => {
    const body = `${p("Set {A of all x")}${p(control(`${tag("a")}<w:text/>`, t("old")))}`;
    expect((await describeTemplate({ body })).map(({ name }) => name)).toEqual(["a"]);
    expect(linesOf((await fill({ body }, { a: "A" })).bytes)).toEqual(["Set {A of all x", "A"]);
    await expect(describeTemplate({ body: `${body}${p("{b}")}` })).rejects.toThrow(
      "The tag {A of all x in the body, paragraph 1",
    );
  });

  it("check and uncheck boxes with their own signs", async () => {
    const wingdings = CHECKBOX.replace('"2612" w14:font="MS Gothic"', '"00FE" w14:font="Wingdings"');
    const body = ["a", "b", "c"]
      .map((name, index) => p(control(`${tag(name)}${index === 2 ? wingdings : CHECKBOX}`, t("☐"))))
      .join("");
    const { bytes } = await fill({ body }, { a: true, b: "no", c: "yes" });
    expect(linesOf(bytes)).toEqual(["☒", "☐", "[sign]"]);
    expect(
      partOf(bytes)
        .match(/<w14:checked w14:val="\d"\/>/gu)
        ?.map((one) => one.at(-4)),
    ).toEqual(["1", "0", "1"]);
    expect(partOf(bytes)).toContain('<w:sym w:font="Wingdings" w:char="F0FE"/>');
    await expect(fill({ body }, { a: "maybe" })).rejects.toMatchObject({
      kind: "BadRequest",
      errors: [{ path: "/fields/a" }],
    });
  });

  it("choose by value or text, and take other texts where one may type", async () => {
    const combo = LIST.replaceAll("dropDownList", "comboBox");
    const body = `${p(control(`${tag("a")}${LIST}`, t("Choose")))}${p(control(`${tag("b")}${combo}`, t("Choose")))}`;
    const { bytes } = await fill({ body }, { a: "b", b: "Green" });
    expect(linesOf(bytes)).toEqual(["Blue", "Green"]);
    expect(partOf(bytes)).toContain('<w:dropDownList w:lastValue="b">');
    await expect(fill({ body }, { a: "Green" })).rejects.toThrow(
      'does not have the choice "Green"; its choices are Red, Blue',
    );
  });

  it("show dates in their own format and language, and state the day", async () => {
    const body = p(control(`${tag("day")}${DATE}`, t("x")));
    const { bytes } = await fill({ body }, { day: "2026-03-01" });
    expect(linesOf(bytes)).toEqual(["Sonntag, 1. März 2026"]);
    expect(partOf(bytes)).toContain('w:fullDate="2026-03-01T00:00:00Z"');
    const other = await fill({ body }, { day: "soon" });
    expect(linesOf(other.bytes)).toEqual(["soon"]);
    expect(partOf(other.bytes)).not.toContain("fullDate");
  });

  it("repeat the items of a repeating section, nested", async () => {
    const item = (name: string, inner: string) => control(name, inner);
    const sizes = control(
      `${tag("sizes")}<w15:repeatingSection/>`,
      item("<w15:repeatingSectionItem/>", p(control(`${tag("size")}<w:text/>`, t("S")))),
    );
    const body = control(
      `${tag("items")}<w15:repeatingSection/>`,
      item("<w15:repeatingSectionItem/>", `${p(control(`${tag("title")}<w:text/>`, t("T")))}${sizes}`),
    );
    expect(await describeTemplate({ body })).toMatchObject([
      {
        name: "items",
        type: "loop",
        fields: [{ name: "title" }, { name: "sizes", type: "loop", fields: [{ name: "size" }] }],
      },
    ]);
    const items = [
      { title: "a", sizes: [{ size: 1 }, { size: 2 }] },
      { title: "b", sizes: [{ size: 3 }] },
    ];
    const { bytes } = await fill({ body }, { items });
    expect(linesOf(bytes).slice(0, -1)).toEqual(["a", "1", "2", "b"]);
    expect(linesOf(bytes).at(-1)).toBe("3");
    const none = await fill({ body }, { items: [] });
    expect(partOf(none.bytes).match(/repeatingSectionItem/gu)).toHaveLength(2);
  });

  it("are filled in each branch of an AlternateContent, and listed once", async () => {
    const box = (name: string) => p(control(`${name}<w:text/>`, t("x")));
    const both = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">${box("")}</mc:Choice><mc:Fallback>${box("")}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const template = { body: `${both}${box("")}`, header: box(tag("top")) };
    expect((await describeTemplate(template)).map(({ name }) => name)).toEqual(["control_1", "control_2", "top"]);
    const { bytes } = await fill(template, { control_1: "one", control_2: "two", top: "T" });
    expect(linesOf(bytes).filter((line) => line !== "")).toEqual(["one", "one", "two"]);
    expect(linesOf(bytes, "word/header1.xml")).toEqual(["T"]);
  });

  it("write values through to the data that they are bound to", async () => {
    const binding = (path: string, store = "{0A}") =>
      `<w:dataBinding w:prefixMappings="xmlns:n='urn:order'" w:xpath="${path}" w:storeItemID="${store}"/>`;
    const bound = (name: string, path: string, store?: string) =>
      p(control(`${tag(name)}${binding(path, store)}<w:text/>`, t("old")));
    const template = wordTemplate({
      body: [
        bound("a", "/n:order[1]/n:buyer[1]"),
        bound("same", "/n:order[1]/n:buyer[1]"),
        bound("b", "/n:order[1]/n:line[2]/@sku"),
        bound("gone", "/n:order[1]/n:none[1]"),
        bound("elsewhere", "/n:order[1]", "{FF}"),
      ].join(""),
      relationships: { data: ["customXml", "../customXml/item1.xml"] },
      parts: {
        "customXml/item1.xml": '<o:order xmlns:o="urn:order"><o:buyer/><o:line/><o:line sku="1"/></o:order>',
        "customXml/_rels/item1.xml.rels": relationships({ rId1: ["customXmlProps", "itemProps1.xml"] }),
        "customXml/itemProps1.xml":
          '<ds:datastoreItem ds:itemID="{0a}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"/>',
      },
    });
    const { bytes } = await fill(template, { a: "A & B", b: "7", gone: "x", elsewhere: "y" });
    expect(partOf(bytes, "customXml/item1.xml")).toBe(
      '<o:order xmlns:o="urn:order"><o:buyer>A &amp; B</o:buyer><o:line/><o:line sku="7"/></o:order>',
    );
    expect(linesOf(bytes)).toEqual(["A & B", "A & B", "7", "x", "y"]);
    // Data that are not there would bring the old text back.
    expect(partOf(bytes).match(/<w:dataBinding/gu)).toHaveLength(3);
  });

  it("leave their content alone behind where a fill is to have no fields", async () => {
    const repeated = control(
      `${tag("items")}<w15:repeatingSection/>`,
      control("<w15:repeatingSectionItem/>", p(control(`${tag("title")}<w:text/>`, t("T")))),
    );
    const contents = control(
      '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>',
      p("Contents"),
    );
    const box = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Box"/><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const body = `${p(control(`${tag("a")}<w:text/>`, t("x", "<w:b/>")))}${repeated}${contents}${p(box)}`;
    const fields = { a: "A", items: [{ title: 1 }, { title: 2 }], Box: true };
    const { bytes } = await fill({ body }, fields, { flatten: true });
    expect(linesOf(bytes)).toEqual(["A", "1", "2", "Contents", "\u2612"]);
    expect(partOf(bytes).match(/<w:sdt>/gu)).toHaveLength(1);
    expect(partOf(bytes)).not.toContain("fldChar");
    expect(await describeTemplate(bytes)).toEqual([]);
  });
});
