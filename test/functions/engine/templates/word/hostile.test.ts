import { describe, expect, it } from "vitest";
import { parseXmlPart, writePart } from "../../../../../functions/engine/templates/word/word-xml.ts";
import { packageOf, relationships } from "../../../../support/office-parts.ts";
import { describeTemplate, fill, p, partOf, wordTemplate } from "../../../../support/word-template.ts";

/** Milliseconds for a file or values that mean harm; the requirement is ten seconds on a loaded machine. */
const MOST_MS = 10_000;

async function within<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    expect(performance.now() - start).toBeLessThan(MOST_MS);
  }
}

const document = (text: string): Uint8Array =>
  packageOf({
    "[Content_Types].xml":
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": relationships({ rId1: ["officeDocument", "word/document.xml"] }),
    "word/document.xml": text,
  });

describe("Word templates that mean harm", () => {
  it("are stopped at 100,000 items of nested loops", async () => {
    const body = ["{#a}", "{#b}", "{#c}", "{x}", "{/c}", "{/b}", "{/a}"].map((text) => p(text)).join("");
    const items = Array.from({ length: 150 }, (_, x) => ({ x }));
    await within(() =>
      expect(fill({ body }, { a: items, b: items, c: items })).rejects.toThrow("100,000 items of loops"),
    );
  });

  it("are stopped at markup that loops multiply", async () => {
    const body = `${p("{#a}")}${p("text").repeat(2_000)}${p("{/a}")}`;
    const a = Array.from({ length: 5_000 }, () => ({}));
    await within(() => expect(fill({ body }, { a })).rejects.toThrow("elements of markup"));
  });

  it("expand no entities", async () => {
    const laughs = '<!DOCTYPE w:document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
    const bytes = document(`${laughs}<w:document xmlns:w="urn:x"><w:body/></w:document>`);
    await within(() => expect(describeTemplate(bytes)).rejects.toMatchObject({ refusesRequest: true }));
    expect(() => parseXmlPart(`${laughs}<a/>`)).toThrow("not well-formed XML");
  });

  it.each([
    ["<a><b></a></b>"],
    ["<a"],
    ["<a>"],
    ["<a/><b/>"],
    ['<a b="<c>"'],
    ["<a".repeat(100)],
    [`${"<a>".repeat(300)}${"</a>".repeat(300)}`],
    [""],
  ])("are refused where they are no XML: %#", (text) => {
    expect(() => parseXmlPart(text)).toThrow("not well-formed XML");
  });

  it("are read in time where they have tags without end", async () => {
    for (const text of ["{", "{%", "{{%", "{#", "+++INS ", "{#x"]) {
      const open = wordTemplate({ body: p(`{a}${text.repeat(100_000)}`) });
      await within(() => expect(describeTemplate(open)).rejects.toMatchObject({ kind: "UnprocessableEntity" }));
    }
    const many = wordTemplate({ body: p("{x}".repeat(20_000)) });
    await within(() => expect(describeTemplate(many)).rejects.toThrow("more than 10000 tags"));
    const deep = wordTemplate({ body: p(`${"{#a}".repeat(5_000)}${"{/a}".repeat(5_000)}`) });
    await within(() => expect(describeTemplate(deep)).rejects.toThrow("64 are allowed"));
  });

  it("fill no code, no markup and no members that objects inherit", async () => {
    const body = p("{a}{constructor.name}{__proto__.x}");
    const { bytes } = await fill({ body }, { a: '<w:p/>{b}${c}"&', __proto__: { x: 1 } } as never);
    expect(partOf(bytes)).toContain(">&lt;w:p/&gt;{b}${c}&quot;&amp;</w:t>");
    expect(partOf(bytes)).not.toContain("Object");
  });

  it("write back each part as it was, whatever its prefixes and quotes are", () => {
    const text = `<?xml version='1.0'?><!-- > --><x:a xmlns:x='urn:x' b=">"><![CDATA[<x:a>]]><y/> &amp; &#65;<x:c ></x:c ></x:a >`;
    expect(writePart(parseXmlPart(text))).toBe(text.replace("</x:c ></x:a >", "</x:c></x:a>"));
  });

  it("may name Word's elements by any prefix", async () => {
    const own = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const text = `<d:document xmlns:d="${own}"><d:body><d:p><d:r><d:t>{#a}{x}{/a}</d:t></d:r></d:p></d:body></d:document>`;
    const { bytes } = await fill(document(text), { a: [{ x: 1 }, { x: 2 }] });
    expect(partOf(bytes)).toContain(`xmlns:w="${own}"`);
    expect(partOf(bytes).replaceAll(/<[^>]*>/gu, "")).toBe("12");
  });
});
