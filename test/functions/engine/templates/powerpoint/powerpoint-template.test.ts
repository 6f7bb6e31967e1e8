import { describe, expect, it } from "vitest";
import { dataRange, listZip } from "../../../../../functions/engine/readers/zip-archive.ts";
import { relationshipsOf } from "../../../../../functions/engine/templates/office/part-relationships.ts";
import { openTemplatePackage } from "../../../../../functions/engine/templates/office/template-package.ts";
import { descendants, parseTree } from "../../../../../functions/engine/templates/office/xml-tree.ts";
import { describePowerPoint } from "../../../../../functions/engine/templates/powerpoint/powerpoint-template.ts";
import type { TemplateField } from "../../../../../functions/engine/templates/template.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { fillDeck, paragraph, slideTexts, table, textBox } from "../../../../support/deck-template.ts";
import { presentation, type SlideOptions, shape } from "../../../../support/office-parts.ts";

const deck = (...slides: (SlideOptions | string)[]): Uint8Array =>
  presentation(slides.map((one) => (typeof one === "string" ? { shapes: one } : one)));

const partText = (bytes: Uint8Array, name: string): string =>
  new TextDecoder().decode(openTemplatePackage(bytes).read(name));

const short = ({ name, type, fields }: TemplateField): unknown =>
  fields.length === 0 ? `${name}:${type}` : { [`${name}:${type}`]: fields.map(short) };
const fieldsOf = async (bytes: Uint8Array) => (await describePowerPoint(bytes)).fields.map(short);
const filledTexts = async (...[bytes, fields, options]: Parameters<typeof fillDeck>) =>
  slideTexts((await fillDeck(bytes, fields, options)).bytes);

describe("describePowerPoint", () => {
  it("lists fields of texts, tables and notes, with those of loops inside them", async () => {
    const bytes = deck({
      shapes: textBox("Offer for {customer.name}") + table([["{#items}{title}", "{price | number(2)}{/items}"]]),
      notes: "Call {phone}",
    });
    expect(await fieldsOf(bytes)).toEqual([
      "customer.name:text",
      { "items:loop": ["title:text", "price:text"] },
      "phone:text",
    ]);
  });

  it("names tag and slide of each fault", async () => {
    const bytes = deck(textBox("{#items}{name}"), {
      shapes: textBox("{a + b}", "{/x}") + table([["{open"]]),
      notes: "{total | shell}",
    });
    await expect(describePowerPoint(bytes)).rejects.toMatchObject({
      kind: "UnprocessableEntity",
      message: [
        'The tag {a + b} in slide 2, "x" is no name of a field, such as customer.name; it takes no code',
        'The tag {open in slide 2, "Table 3" is never ended with }',
        'The tag {total | shell} in the notes of slide 2, "x" has the filter shell, which there is not; there are format, number, percent, currency, upper, lower, trim, join, default',
        'The tag {/x} in slide 2, "x" closes another section than {#items}, which is open',
        'The tag {#items} in slide 1, "x" is never closed',
      ].join("; "),
    });
  });

  it("gives a section of whole slides all tags of its slides, and refuses sections that overlap", async () => {
    const before = textBox("{role}") + textBox("{#people}{name}") + textBox("{/people}") + textBox("{age}");
    expect(await fieldsOf(deck(before))).toEqual([{ "people:loop": ["role:text", "name:text", "age:text"] }]);
    const overlap = deck(textBox("{#a}{x}"), textBox("{/a}") + textBox("{#b}{y}"), textBox("{/b}"));
    await expect(describePowerPoint(overlap)).rejects.toThrow(
      'The tag {#b} in slide 2, "x" repeats slides that {#a} repeats, and others; close both on one',
    );
  });

  it("refuses a presentation without tags", async () => {
    await expect(describePowerPoint(deck(textBox("Hello")))).rejects.toThrow("has no fields to fill");
  });

  it("lists fields of an alternative for older programs once, and fills it too", async () => {
    const both = `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="p14">${textBox("{name}")}</mc:Choice><mc:Fallback>${textBox("{#name}{name}{/}")}</mc:Fallback></mc:AlternateContent>`;
    const bytes = deck(both);
    expect(await fieldsOf(bytes)).toEqual(["name:text"]);
    const filled = partText((await fillDeck(bytes, { name: "Ada" })).bytes, "ppt/slides/slide1.xml");
    expect([...filled.matchAll(/>Ada</g)]).toHaveLength(2);
  });
});

describe("fillPowerPoint", () => {
  it("fills a tag that is cut into runs in the look of its first one", async () => {
    const cut = shape({ paragraphs: paragraph("Dear {cus", "tomer.na", "me}, hello") });
    const { bytes } = await fillDeck(deck(cut), { customer: { name: "Ada & <Co>\nLondon" } });
    const xml = partText(bytes, "ppt/slides/slide1.xml");
    expect(xml).toContain('<a:rPr lang="en-US" b="1"/><a:t>Ada &amp; &lt;Co&gt;</a:t></a:r><a:br>');
    expect(slideTexts(bytes)).toEqual(["Dear Ada & <Co> London, hello"]);
  });

  it("prints nothing for absent values, and numbers and booleans as text", async () => {
    expect(await filledTexts(deck(textBox("[{a}] {b} {c} {d | default('none')}")), { b: 1.5, c: true })).toEqual([
      "[] 1.5 true none",
    ]);
  });

  it("repeats runs, paragraphs, rows and slides", async () => {
    const inline = textBox("{#names}{.}, {/names}");
    const list = textBox("{#parts}", "{title}: {#sizes}{.} {/}", "{/parts}", "end");
    const rows = table([
      ["Head", ""],
      ["{#items}{name}", "{price}{/}"],
      ["Foot", ""],
    ]);
    const bytes = deck(
      inline + list + rows,
      textBox("{#people}{name}") + textBox("{role}", "{/people}"),
      textBox("Last"),
    );
    const texts = await filledTexts(bytes, {
      names: ["A", "B"],
      parts: [
        { title: "x", sizes: ["S", "L"] },
        { title: "y", sizes: [] },
      ],
      items: [
        { name: "Chair", price: 1 },
        { name: "Table", price: 2 },
      ],
      people: [
        { name: "Ada", role: "boss" },
        { name: "Bob", role: "cook" },
      ],
    });
    expect(texts).toEqual(["A, B, x: S L y: end Head Chair 1 Table 2 Foot", "Ada boss", "Bob cook", "Last"]);
  });

  it("shows content by conditions and inverted sections, also of whole rows and slides", async () => {
    const bytes = deck(
      textBox("{#paid}", "Thank you", "{/paid}", "{^paid}", "Please pay", "{/paid}") +
        table([["{#discount}Discount {discount}{/}"], ["{#paid}"], ["Paid"], ["{/paid}"]]),
      textBox("{#appendix}More") + textBox("{/appendix}"),
    );
    expect(await fieldsOf(bytes)).toEqual(["paid:condition", "discount:text", "appendix:condition"]);
    expect(await filledTexts(bytes, { paid: true, discount: 5, appendix: true })).toEqual([
      "Thank you Discount 5 Paid",
      "More",
    ]);
    expect(await filledTexts(bytes, { paid: false })).toEqual(["Please pay"]);
  });

  it("keeps a table with a blank row when its loop is empty, and gives each row an id of its own", async () => {
    const bytes = deck(table([["{#items}{name}{/}"], ["{#rows}{name}"], ["{/rows}"]]));
    const rowsOf = async (fields: Parameters<typeof fillDeck>[1]) => {
      const root = parseTree(
        openTemplatePackage((await fillDeck(bytes, fields)).bytes).read("ppt/slides/slide1.xml") ?? new Uint8Array(),
      );
      return [...descendants(root, "rowId")].map(({ attributes }) => attributes.val);
    };
    const three = await rowsOf({ items: [], rows: [{ name: "a" }, { name: "b" }, { name: "c" }] });
    expect(new Set(three).size).toBe(three.length);
    const all = deck(table([["{#rows}{name}", "{/rows}"]]));
    const { bytes: filled } = await fillDeck(all, { rows: [] });
    expect(partText(filled, "ppt/slides/slide1.xml")).toMatch(/<a:tr .*<a:p\/>/);
  });

  it("grows a merged cell with the rows beside it", async () => {
    const bytes = deck(
      table(
        [
          ["Group", "{#items}{name}{/}"],
          ["", "{#rows}{name}"],
          ["", "{/rows}"],
        ],
        { "0,0": 'rowSpan="3"', "1,0": 'vMerge="1"', "2,0": 'vMerge="1"' },
      ),
    );
    const { bytes: filled } = await fillDeck(bytes, { rows: [{ name: "a" }, { name: "b" }, { name: "c" }] });
    const xml = partText(filled, "ppt/slides/slide1.xml");
    expect(xml).toContain(`rowSpan="${[...xml.matchAll(/vMerge/g)].length + 1}"`);
  });

  it("copies a slide with its own notes, and lists it in the presentation", async () => {
    const bytes = deck(textBox("Cover {title}"), { shapes: textBox("{#people}{name}"), notes: "Say {name}{/people}" });
    const { bytes: filled, contentType } = await fillDeck(bytes, {
      title: "T",
      people: [{ name: "Ada" }, { name: "Bob" }, { name: "Cy" }],
    });
    expect(contentType).toContain("presentationml.presentation");
    expect(slideTexts(filled)).toEqual(["Cover T", "Ada Say Ada", "Bob Say Bob", "Cy Say Cy"]);
    const office = openTemplatePackage(filled);
    const notes = office.names.filter((name) => name.startsWith("ppt/notesSlides/notes"));
    expect(notes).toHaveLength(3);
    const slides = relationshipsOf(office, "ppt/presentation.xml").filter(({ type }) => type.endsWith("/slide"));
    expect(new Set(slides.map(({ target }) => target)).size).toBe(4);
    const ids = [...partText(filled, "ppt/presentation.xml").matchAll(/<p:sldId id="(\d+)" r:id="([^"]+)"/g)];
    expect([new Set(ids.map(([, id]) => id)).size, new Set(ids.map(([, , id]) => id)).size]).toEqual([4, 4]);
    for (const { target } of slides) expect(office.has(target), target).toBe(true);
  });

  it("takes a slide out with its notes, and refuses to leave none", async () => {
    const bytes = deck(textBox("One"), { shapes: textBox("{#people}{name}"), notes: "{/people}" });
    const { bytes: filled } = await fillDeck(bytes, { people: [] });
    const names = openTemplatePackage(filled).names;
    expect(names.filter((name) => /slides\/slide2|notesSlides/.test(name))).toEqual([]);
    expect(slideTexts(filled)).toEqual(["One"]);
    await expect(fillDeck(deck(textBox("{#x}") + textBox("{a}{/x}")), {})).rejects.toThrow("without a slide");
  });

  it("keeps the bytes of parts without tags", async () => {
    const before = deck(textBox("{title}"), textBox("Plain"));
    const { bytes: after } = await fillDeck(before, { title: "T" });
    const packed = (bytes: Uint8Array) =>
      new Map(
        (listZip(bytes) ?? []).map((entry) => {
          const { start, end } = dataRange(bytes, entry);
          return [entry.name, Buffer.from(bytes.subarray(start, end)).toString("base64")];
        }),
      );
    const [old, now] = [packed(before), packed(after)];
    const changed = [...now].filter(([name, data]) => old.get(name) !== data).map(([name]) => name);
    expect([changed, now.size]).toEqual([["ppt/slides/slide1.xml"], old.size]);
  });

  it("refuses unknown values by pointer, and absent ones where they are errors", async () => {
    const bytes = deck(table([["{#items}{name}", "{/}"]]) + textBox("{title}"));
    await expect(fillDeck(bytes, { items: [{ colour: 1 }] })).rejects.toMatchObject({
      errors: [{ path: "/fields/items/0/colour" }],
    });
    const { unknownFields } = await fillDeck(bytes, { items: [{ colour: 1 }] }, { ignoreUnknown: true });
    expect(unknownFields).toEqual(["items.0.colour"]);
    await expect(fillDeck(bytes, { items: [{}] }, { missingIsError: true })).rejects.toThrow("items.0.name, title");
    await expect(fillDeck(bytes, { title: ["a"] })).rejects.toThrow("The field title takes a text");
  });

  it("has no way to what objects inherit", async () => {
    const bytes = deck(textBox("{constructor.name}[{__proto__.x}]{a.length}"));
    expect(await filledTexts(bytes, { a: {} })).toEqual(["[]"]);
  });

  it("counts the items of nested loops", async () => {
    const bytes = deck(textBox("{#a}{#b}{/}{/}"));
    const many = (content: Json) => Array.from({ length: 400 }, () => content);
    await expect(fillDeck(bytes, { a: many({ b: many(1) }) })).rejects.toThrow("100,000 items");
    const slides = deck(textBox("{#a}") + textBox("{/a}"));
    await expect(fillDeck(slides, { a: Array.from({ length: 2_001 }, () => 1) })).rejects.toThrow("2,000 slides");
  });
});
