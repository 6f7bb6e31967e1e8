import { describe, expect, it } from "vitest";
import { describeTemplate, fill, linesOf, p, partOf, t } from "../../../../support/word-template.ts";

const sign = (type: string, inner = ""): string => `<w:r><w:fldChar w:fldCharType="${type}">${inner}</w:fldChar></w:r>`;
const instruction = (text: string): string => `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`;
const field = (text: string, result: string, data = ""): string =>
  `${sign("begin", data)}${instruction(text)}${sign("separate")}${result}${sign("end")}`;
const data = (name: string, inner: string): string =>
  `<w:ffData><w:name w:val="${name}"/><w:enabled/><w:calcOnExit w:val="0"/>${inner}</w:ffData>`;

describe("merge fields of Word", () => {
  it("become text with the look of their result", async () => {
    const complex = field('MERGEFIELD "Last name" \\* Upper \\* MERGEFORMAT', t("«Last»", "<w:b/>"));
    const simple = `<w:fldSimple w:instr=" MERGEFIELD City ">${t("«City»")}</w:fldSimple>`;
    const one = `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>MERGEFIELD Zip</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>z</w:t><w:fldChar w:fldCharType="end"/></w:r>`;
    const settings = '<w:zoom w:percent="100"/><w:mailMerge><w:mainDocumentType w:val="formLetters"/></w:mailMerge>';
    const template = { body: p(`${t("Dear ")}${complex}${t(", ")}${simple}${t(" ")}${one}${t(".")}`), settings };
    expect((await describeTemplate(template)).map(({ name, type }) => `${name}: ${type}`)).toEqual([
      "Last name: text",
      "City: text",
      "Zip: text",
    ]);
    const { bytes } = await fill(template, { "Last name": "Lovelace", City: "London" });
    expect(linesOf(bytes)).toEqual(["Dear LOVELACE, London ."]);
    expect(partOf(bytes)).toContain('<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">LOVELACE</w:t>');
    expect(partOf(bytes)).not.toContain("fld");
    expect(partOf(bytes, "word/settings1.xml")).not.toContain("mailMerge");
  });

  it("show the texts around a value only with one", async () => {
    const around = field('MERGEFIELD Title \\b "(Dr &amp; " \\f ")" \\* Upper', t("x"));
    const template = { body: p(`${t("A ")}${around}${t(".")}`) };
    expect(linesOf((await fill(template, { Title: "med" })).bytes)).toEqual(["A (Dr & MED)."]);
    expect(linesOf((await fill(template, { Title: "" })).bytes)).toEqual(["A ."]);
    expect(linesOf((await fill(template, {})).bytes)).toEqual(["A ."]);
  });

  it("write dates in their picture, in the language of the field or the document", async () => {
    const day = (more: string, look = ""): string => p(field(`MERGEFIELD Day ${more}`, t("x", look)));
    const template = {
      body: [
        day('\\@ "d MMMM yyyy" \\* MERGEFORMAT'),
        day("\\@dd/MM/yy"),
        day("\\@ “dddd, D. MMM 'at' H:mm”", '<w:lang w:val="en-GB"/>'),
        day('\\@ "h:mm am/pm" \\b "(" \\f ")"'),
        day('\\@ "MMMM" \\* Upper', '<w:lang w:val="no language"/>'),
      ].join(""),
      styles: '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>',
    };
    expect(await describeTemplate(template)).toMatchObject([
      { name: "Day", type: "text", valueType: "date", dateFormat: "d MMMM yyyy" },
    ]);
    const { bytes } = await fill(template, { Day: "2026-03-05T14:07:00" });
    expect(linesOf(bytes)).toEqual(["5 März 2026", "05/03/26", "Thursday, 5. Mar at 14:07", "(2:07 PM)", "MÄRZ"]);
    expect(linesOf((await fill(template, {})).bytes)).toEqual(["", "", "", "", ""]);
    await expect(fill(template, { Day: "soon" })).rejects.toThrow("The field Day takes a date");
  });

  it.each([
    ['"#,##0.00"', 1234567.891, "1,234,567.89"],
    ['"#.##0,00"', -1234.5, "-1.234,50"],
    ['"$,0.00"', 1234, "$1,234.00"],
    ['"#,##0.00 €"', 0, "0.00 €"],
    ['"0.00"', "1234.567", "1234.57"],
    ["0000", 42, "0042"],
    ['"#,###"', 1234.4, "1,234"],
    ["#", 0, ""],
    ["\"0,0 'kg #'\"", -0.01, "0,0 kg #"],
    ["0.000", 2, "2.000"],
    ["0%", 12, "12%"],
  ])("write numbers in the picture %s", async (picture, value, shown) => {
    const template = { body: p(field(`MERGEFIELD Sum \\# ${picture}`, t("x"))) };
    expect(await describeTemplate(template)).toMatchObject([{ name: "Sum", valueType: "number" }]);
    expect(linesOf((await fill(template, { Sum: value })).bytes)).toEqual([shown]);
    await expect(fill(template, { Sum: "many" })).rejects.toThrow("The field Sum takes a number");
  });

  it.each([
    [
      field('MERGEFIELD Day \\@ "d QQQ"', t("x")),
      "The field MERGEFIELD Day in the body, paragraph 1 has the switch \\@ d QQQ, which is not supported",
    ],
    [
      field('MERGEFIELD Sum \\# "0.00;(0.00)"', t("x")),
      "The field MERGEFIELD Sum in the body, paragraph 1 has the switch \\# 0.00;(0.00), which is not supported",
    ],
    [field("MERGEFIELD Sum \\# , \\# 0", t("x")), "has the switch \\# ,, which is not supported"],
    [field("MERGEFIELD Sum \\# 0.0 \\@ d", t("x")), "has the switch \\@ d, which is not supported"],
    [field("NEXT", t("x")), "The field NEXT in the body, paragraph 1 is a rule of a mail merge"],
    [
      `${sign("begin")}${instruction("IF ")}${field("MERGEFIELD A", t("x"))}${sign("separate")}${t("y")}${sign("end")}`,
      "The field MERGEFIELD A in the body, paragraph 1 is inside another field",
    ],
    [
      `${sign("begin")}${instruction("MERGEFIELD A")}`,
      "The field MERGEFIELD A in the body, paragraph 1 spans several paragraphs",
    ],
  ])("are refused where they are not simple: %#", async (content, message) => {
    await expect(describeTemplate({ body: p(content) })).rejects.toMatchObject({
      kind: "UnprocessableEntity",
      message: expect.stringContaining(message),
    });
  });
});

describe("legacy form fields of Word", () => {
  const body = [
    p(field("FORMTEXT", t("     ", "<w:i/>"), data("Name", '<w:textInput><w:maxLength w:val="9"/></w:textInput>'))),
    p(
      `${sign("begin", data("Box", '<w:checkBox><w:sizeAuto/><w:default w:val="1"/></w:checkBox>'))}${instruction("FORMCHECKBOX")}${sign("end")}`,
    ),
    p(
      `${sign("begin", data("Pick", '<w:ddList><w:default w:val="0"/><w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/></w:ddList>'))}${instruction("FORMDROPDOWN")}${sign("end")}`,
    ),
    p(field("PAGE", t("3"))),
  ].join("");

  it("are listed with their types", async () => {
    expect(await describeTemplate({ body })).toMatchObject([
      { name: "Name", type: "text", maxLength: 9 },
      { name: "Box", type: "checkbox", value: "true" },
      { name: "Pick", type: "dropdown", options: ["Red", "Blue"] },
    ]);
  });

  it("take values, and stay fields", async () => {
    const { bytes } = await fill({ body }, { Name: "Ada", Box: false, Pick: "Blue" });
    expect(linesOf(bytes)).toEqual(["Ada", "", "", "3"]);
    const xml = partOf(bytes);
    expect(xml).toContain('<w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>');
    expect(xml).toContain('<w:ddList><w:result w:val="1"/><w:default w:val="0"/>');
    expect(xml.match(/fldCharType/gu)).toHaveLength(10);
    await expect(fill({ body }, { Pick: "Green" })).rejects.toThrow("its choices are Red, Blue");
  });

  it("keep what the template has in them where no value is given", async () => {
    const { bytes } = await fill({ body }, {});
    expect(partOf(bytes)).toContain('<w:default w:val="1"/></w:checkBox>');
    expect(linesOf(bytes)).toEqual(["     ", "", "", "3"]);
  });
});
