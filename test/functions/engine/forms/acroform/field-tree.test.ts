import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { acroFormMetadata } from "../../../../../functions/engine/forms/acroform/acroform-metadata.ts";

const read = async (document: PDFDocument) => acroFormMetadata(await document.save({ updateFieldAppearances: false }));

describe("readFields", () => {
  interface Made {
    document: PDFDocument;
    add(entries: Record<string, PDFObject>): PDFRef;
    fields: PDFArray;
    page: PDFDict;
    annotations: PDFArray;
  }

  async function made(): Promise<Made> {
    const document = await PDFDocument.create();
    const { context } = document;
    const page = document.addPage([612, 792]).node;
    const annotations = context.obj([]);
    page.set(PDFName.of("Annots"), annotations);
    const fields = context.obj([]);
    document.catalog.set(PDFName.of("AcroForm"), context.obj({ Fields: fields }));
    const add = (entries: Record<string, PDFObject>): PDFRef => context.register(context.obj(entries));
    return { document, add, fields, page, annotations };
  }

  const name = (text: string): PDFName => PDFName.of(text);
  const widget = (document: PDFDocument): Record<string, PDFObject> => ({
    Subtype: name("Widget"),
    Rect: document.context.obj([10, 20, 60, 40]),
  });

  it("inherits attributes over several levels", async () => {
    const { document, add, fields, annotations } = await made();
    const { context } = document;
    const parent = context.nextRef();
    const child = add({
      ...widget(document),
      T: PDFHexString.fromText("größe"),
      Parent: parent,
      TU: PDFString.of("How large"),
    });
    const attributes = {
      FT: name("Tx"),
      Ff: PDFNumber.of(2),
      MaxLen: PDFNumber.of(5),
      V: PDFString.of("L"),
      DV: PDFString.of("M"),
    };
    context.assign(parent, context.obj({ T: PDFString.of("top"), Kids: [child], ...attributes }));
    fields.push(parent);
    annotations.push(child);
    const [field, ...more] = (await read(document)).fields;
    expect(more).toEqual([]);
    expect(field).toMatchObject({
      name: "top.größe",
      type: "text",
      flags: ["required"],
      maxLength: 5,
      value: "L",
      defaultValue: "M",
      tooltip: "How large",
    });
  });

  it("finds widgets that only pages list, under their own names", async () => {
    const { document, add, annotations } = await made();
    const parent = add({ T: PDFString.of("group"), FT: name("Btn") });
    annotations.push(add({ ...widget(document), T: PDFString.of("alone"), FT: name("Tx"), V: PDFString.of("here") }));
    annotations.push(add({ ...widget(document), T: PDFString.of("box"), Parent: parent }));
    annotations.push(add({ ...widget(document), Parent: parent, AS: name("On") }));
    const { fields } = await read(document);
    expect(fields.map((field) => [field.name, field.type, field.value, field.pageNumber])).toEqual([
      ["alone", "text", "here", 1],
      ["group.box", "checkbox", "Off", 1],
      ["group", "checkbox", "On", 1],
    ]);
  });

  it("merges fields of one name, flags hidden ones and leaves out passwords", async () => {
    const { document, add, fields, annotations } = await made();
    for (let copy = 0; copy < 2; copy += 1) {
      const one = add({ ...widget(document), T: PDFString.of("same"), FT: name("Tx"), F: PDFNumber.of(2) });
      fields.push(one);
      annotations.push(one);
    }
    fields.push(
      add({
        ...widget(document),
        T: PDFString.of("pin"),
        FT: name("Tx"),
        Ff: PDFNumber.of(1 << 13),
        V: PDFString.of("1234"),
      }),
    );
    const [same, pin] = (await read(document)).fields;
    expect(same?.widgets).toHaveLength(2);
    expect(same?.flags).toEqual(["hidden"]);
    expect(pin).toMatchObject({ name: "pin", value: null, flags: ["password"], pageNumber: null });
    expect(pin?.widgets).toMatchObject([{ pageNumber: null, pageAnchors: [] }]);
  });

  it("reads options with export values, text streams, signatures and UTF-8", async () => {
    const { document, add, fields } = await made();
    const { context } = document;
    const pair = context.obj([PDFString.of("ch"), PDFHexString.fromText("Schweiz – Suisse")]);
    fields.push(
      add({
        T: PDFString.of("land"),
        FT: name("Ch"),
        Ff: PDFNumber.of(1 << 17),
        Opt: context.obj([pair, PDFString.of("de")]),
      }),
    );
    fields.push(
      add({ T: PDFString.of("long"), FT: name("Tx"), V: context.register(context.flateStream("a long text")) }),
    );
    fields.push(add({ T: PDFString.of("sign"), FT: name("Sig"), V: context.obj({ Name: PDFString.of("Pia") }) }));
    fields.push(add({ T: PDFHexString.of(`efbbbf${Buffer.from("ключ").toString("hex")}`), FT: name("Tx") }));
    const [land, long, sign, key] = (await read(document)).fields;
    expect(land?.options).toEqual([
      { value: "ch", label: "Schweiz – Suisse" },
      { value: "de", label: "de" },
    ]);
    expect([long?.value, sign?.type, sign?.value, key?.name]).toEqual(["a long text", "signature", "Pia", "ключ"]);
  });

  it("leaves out fields without a type and ignores entries of the wrong kind", async () => {
    const { document, add, fields, annotations } = await made();
    const { context } = document;
    fields.push(add({ T: PDFString.of("untyped") }));
    fields.push(PDFNumber.of(7));
    const odd = {
      T: PDFNumber.of(1),
      FT: name("Tx"),
      Ff: PDFString.of("x"),
      MaxLen: name("y"),
      V: context.obj([[1]]),
      Rect: context.obj([1, 2]),
    };
    fields.push(add(odd));
    annotations.push(PDFString.of("no annotation"));
    const { fields: found } = await read(document);
    expect(found).toMatchObject([{ name: "1", type: "text", maxLength: null, rect: null, flags: [] }]);
  });

  it("ends when fields or pages contain themselves", async () => {
    const { document, add, fields } = await made();
    const { context } = document;
    const [a, b] = [context.nextRef(), context.nextRef()];
    context.assign(a, context.obj({ T: PDFString.of("a"), FT: name("Tx"), Kids: [b, a], Parent: b }));
    context.assign(b, context.obj({ T: PDFString.of("b"), Kids: [a, b], Parent: a }));
    fields.push(a);
    fields.push(a);
    const loop = add({ ...widget(document), FT: name("Tx") });
    fields.push(loop);
    const pages = document.catalog.lookup(name("Pages"), PDFDict);
    pages.lookup(name("Kids"), PDFArray).push(document.catalog.get(name("Pages")) ?? PDFNumber.of(0));
    const bytes = await document.save();
    const { fields: found, pages: shown } = await acroFormMetadata(bytes);
    expect(found.length).toBeLessThan(5);
    expect(shown).toHaveLength(1);
  });

  it("reads 10,000 fields and deeply nested names in a few seconds", async () => {
    const { document, add, fields, annotations } = await made();
    const { context } = document;
    for (let index = 0; index < 10_000; index += 1) {
      const field = add({ ...widget(document), T: PDFString.of(`field ${index}`), FT: name("Tx") });
      fields.push(field);
      annotations.push(field);
    }
    let deep = add({ ...widget(document), T: PDFString.of("leaf"), FT: name("Tx") });
    for (let level = 0; level < 2_000; level += 1) deep = add({ T: PDFString.of("n"), Kids: context.obj([deep]) });
    fields.push(deep);
    const bytes = await document.save();
    const start = performance.now();
    expect((await acroFormMetadata(bytes)).fields.length).toBeGreaterThanOrEqual(10_000);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
