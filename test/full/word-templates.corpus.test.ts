/** Real Word templates, filled whole and read back through their XML, by LibreOffice, and by this project's reader. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEAST_READ_BACK } from "../../bench/office-template-fidelity.ts";
import { type CorpusWordTemplates, corpusWordTemplates } from "../../bench/office-templates/corpus-word-templates.ts";
import { distinctValues } from "../../bench/office-templates/distinct-values.ts";
import { fillBareWord } from "../../bench/office-templates/word-cases.ts";
import {
  hasLibreOffice,
  libreOfficeTexts,
  type ReadBack,
  readBack,
} from "../../bench/office-templates/word-read-back.ts";
import { openTemplatePackage } from "../../functions/engine/templates/office/template-package.ts";
import type { TemplateField } from "../../functions/engine/templates/template.ts";
import { openWord } from "../../functions/engine/templates/word/open-word.ts";
import { describeWord } from "../../functions/engine/templates/word/word-template.ts";
import { elementOrderFaults } from "../support/word-order.ts";
import { cell, control, fill, linesOf, p, partOf, row, t, table, wordTemplate } from "../support/word-template.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real Word template was filled`);
const lays = hasLibreOffice();
if (!lays) console.warn("SKIPPED: LibreOffice and poppler are not installed; no filled document is laid out");

const none: CorpusWordTemplates = { filled: new Map(), refused: new Map(), facts: new Map() };
const { filled, refused, facts } = present ? await corpusWordTemplates(CORPUS) : none;

const namesIn = (fields: readonly TemplateField[]): string[] =>
  fields.flatMap(({ name, fields: inner }) => [name, ...namesIn(inner)]);

describe.skipIf(!present)("real Word templates", () => {
  it("are at hand", () => expect(filled.size + refused.size).toBeGreaterThanOrEqual(13));

  it.each([...filled.keys()])("are listed as the manifest counts them: %s", async (name) => {
    const bytes = filled.get(name) ?? new Uint8Array();
    const own = facts.get(name);
    const names = namesIn((await describeWord(bytes)).fields);
    expect(openWord(bytes).parts.flatMap(({ controls }) => controls)).toHaveLength(own?.content_controls ?? 0);
    for (const tag of own?.placeholder_examples ?? []) expect(names).toContain(tag.replaceAll(/[${}#/^\s]/gu, ""));
    expect(names.length).toBeGreaterThan(0);
  });

  it.each([...refused.keys()])("are refused by tag and place where they are of another language: %s", (name) => {
    expect(refused.get(name)).toMatch(/^The tag \S.* in (?:the body|header \d|footer \d), paragraph \d+ /u);
    expect(facts.get(name)?.syntax).toMatch(/Jinja|\+\+\+|MALFORMED|\{\{tags\}\}/u);
  });

  describe("filled with distinct values", () => {
    let results: ReadBack[] = [];
    beforeAll(async () => {
      results = await readBack(filled);
    });

    it.each(["xml", "libreoffice", "reader"] as const)("show them all: %s", (way) => {
      const values = results.reduce((sum, one) => sum + one.values, 0);
      const lost = results.flatMap((one) => one.lost[way].map((value) => `${one.name} ${value}`));
      expect(values).toBeGreaterThan(60);
      expect((values - lost.length) / values, lost.join(", ")).toBeGreaterThanOrEqual(LEAST_READ_BACK);
    });

    it("keep the packed bytes of parts without fields", () => {
      expect(results.flatMap(({ name, changedParts }) => changedParts.map((part) => `${name} ${part}`))).toEqual([]);
    });
  });

  it.each(["easytemplatex-content-controls.docx", "cs-podnet.docx"])(
    "take values in controls and form fields, once tags of another language are text: %s",
    async (name) => {
      const office = openTemplatePackage(readFileSync(join(CORPUS, "office-templates", name)));
      const body = new TextDecoder().decode(office.read("word/document.xml"));
      const texts = /(<w:t(?:\s[^>]*)?>)([^<]*)/gu;
      const plain = body.replaceAll(texts, (_, tag: string, text: string) => tag + text.replaceAll(/[{}%]/gu, ""));
      office.write("word/document.xml", plain);
      const own = facts.get(name);
      const { parts } = openWord(office.save());
      expect(parts.flatMap(({ controls }) => controls)).toHaveLength(own?.content_controls ?? 0);
      const [result] = await readBack(new Map([[name, office.save()]]));
      expect(result?.values).toBeGreaterThan(8);
      expect(result).toMatchObject({ lost: { xml: [], libreoffice: [], reader: [] }, changedParts: [] });
    },
  );

  it.each([...filled.keys()])("keep the order of elements that the schema asks for: %s", async (name) => {
    const bytes = filled.get(name) ?? new Uint8Array();
    const { values } = distinctValues((await describeWord(bytes)).fields);
    const after = (await fill(bytes, values)).bytes;
    for (const { name: part } of openWord(bytes).parts) {
      expect(elementOrderFaults(partOf(after, part))).toEqual(elementOrderFaults(partOf(bytes, part)));
    }
  });

  it.each(["docxtemplater-tag-example.docx", "docxtemplater-product-loop.docx"])(
    "have the text that docxtemplater fills in: %s",
    async (name) => {
      const bytes = filled.get(name) ?? new Uint8Array();
      const { values } = distinctValues((await describeWord(bytes)).fields, 3);
      const bare = fillBareWord(bytes, values);
      const own = (await fill(bytes, values)).bytes;
      for (const { name: part } of openWord(bytes).parts) expect(written(own, part)).toEqual(written(bare, part));
    },
  );
});

/** Lines with text: the library leaves empty paragraphs where a loop's tags share theirs with text. */
const written = (bytes: Uint8Array, part: string): string[] =>
  linesOf(bytes, part).filter((line) => line.trim() !== "");

/** A template with all that Word's own features can hold. */
const rich = wordTemplate({
  header: p("Head {company}"),
  footer: p("Foot {company}"),
  body: [
    p('{when | format("d. MMMM yyyy", "de")} {total | currency("EUR", "de")} {%logo}'),
    p("{story | markdown}"),
    p("In line: {story | markdown}"),
    table(
      3,
      row(cell("Over all", '<w:gridSpan w:val="3"/>').replace("2000", "6000")),
      row("Name", "{#m | columns}{n}", "Sum"),
      row("{#who}{n}", "{v}{/m}", "{s}{/who}"),
    ),
    p(""),
    table(1, row("{#cells}{.}{/cells}"), row("{#no}never{/no}")),
    p("{#a}one {.}"),
    p("two{/a}"),
    p(control('<w:tag w:val="box"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>', t("☐"))),
    control(
      '<w:tag w:val="rows"/><w15:repeatingSection/>',
      control("<w15:repeatingSectionItem/>", p(control('<w:tag w:val="cell"/><w:text/>', t("x")))),
    ),
    p("{address}"),
  ].join(""),
});

describe("a Word template of every kind of field", () => {
  const fields = {
    company: "Sheaf & Sons",
    when: "2031-03-01",
    total: 1234.5,
    logo: { _ref: "logo", width_mm: 20 },
    story: "Some **bold** [link](https://example.org)\n\n- first\n- second\n\n1. third",
    m: [
      { n: "Jan", v: 11 },
      { n: "Feb", v: 12 },
    ],
    who: [
      { n: "Ada", s: 21 },
      { n: "Bob", s: 22 },
    ],
    cells: ["cell1", "cell2"],
    a: ["31", "32"],
    box: true,
    rows: [{ cell: "row1" }, { cell: "row2" }],
    address: "line1\nline2",
  };

  it.skipIf(!lays)("is shown whole by LibreOffice, in the order of the schema", async () => {
    const logo = await sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const { bytes } = await fill(rich, fields, { images: new Map([["logo", new Uint8Array(logo)]]) });
    for (const name of ["word/document.xml", "word/header1.xml"])
      expect(elementOrderFaults(partOf(bytes, name))).toEqual([]);
    const [text = ""] = libreOfficeTexts([bytes]);
    const words = text
      .split(/\s+/u)
      .filter((word) => word !== "")
      .join(" ");
    expect(words).toContain("Head Sheaf & Sons");
    expect(words).toContain("1. März 2031 1.234,50 €");
    expect(words).toContain(
      "Some bold link • first • second 1. third In line: Some bold link • first • second 1. third",
    );
    expect(words).toContain("Over all Name Jan Feb Sum Ada 11 12 21 Bob 11 12 22 cell1 cell2");
    expect(words).toContain("one 31 two one 32 two ☒ row1 row2 line1 line2");
    expect(words).toContain("Foot Sheaf & Sons");
    expect(words).not.toContain("never");
  });
});

/** Milliseconds for a file that means harm, on a loaded machine. */
const MOST_MS = 10_000;

describe.skipIf(!present)("hostile files as Word templates", () => {
  const read = (name: string): Uint8Array => readFileSync(join(CORPUS, "hostile", name));
  let start = 0;
  beforeAll(() => {
    start = performance.now();
  });
  afterAll(() => expect(performance.now() - start).toBeLessThan(MOST_MS));

  it.each([
    "docx-xxe-external-entity.docx",
    "docx-truncated.docx",
    "docx-no-document-part.docx",
    "docx-fuzzed-a.docx",
    "xlsx-billion-laughs.xlsx",
    "zip-quine-contains-itself.zip",
    "enc-ooxml-passtika.xlsx",
    "zip-named.pdf",
  ])("are refused with a sentence: %s", async (name) => {
    await expect(describeWord(read(name))).rejects.toMatchObject({ kind: "UnprocessableEntity" });
  });

  it("are filled where they only inflate two hundred times", async () => {
    const office = openTemplatePackage(read("docx-203x-compression-legit.docx"));
    const body = new TextDecoder().decode(office.read("word/document.xml"));
    office.write("word/document.xml", body.replace("</w:body>", `${p("{{name}}")}</w:body>`));
    const template = office.save();
    expect((await describeWord(template)).fields.map(({ name }) => name)).toContain("name");
    const { bytes } = await fill(template, { name: "Ada" }, { ignoreUnknown: true });
    expect(partOf(bytes)).toContain(">Ada</w:t>");
    expect(Math.abs(bytes.length - template.length)).toBeLessThan(1_000);
  });
});
