import { describe, expect, it } from "vitest";
import { dataRange, listZip } from "../../../../../functions/engine/readers/zip-archive.ts";
import {
  addRelationship,
  relationshipsOf,
  relativeTarget,
} from "../../../../../functions/engine/templates/office/part-relationships.ts";
import { openTemplatePackage } from "../../../../../functions/engine/templates/office/template-package.ts";
import { UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { packageOf, relationships } from "../../../../support/office-parts.ts";

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';

const file = (more: Record<string, string | Uint8Array> = {}): Uint8Array =>
  packageOf({
    "[Content_Types].xml": TYPES,
    "_rels/.rels": relationships({ rId1: ["officeDocument", "word/document.xml"] }),
    "word/document.xml": "<w:document/>",
    "word/styles.xml": "<w:styles/>",
    ...more,
  });

const packed = (bytes: Uint8Array, name: string): Buffer => {
  const entry = listZip(bytes)?.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`${name} is missing`);
  const { start, end } = dataRange(bytes, entry);
  return Buffer.from(bytes.subarray(start, end));
};

describe("openTemplatePackage", () => {
  it("keeps the packed bytes and the order of untouched parts", () => {
    const before = file();
    const office = openTemplatePackage(before);
    office.write("word/document.xml", "<w:document>new</w:document>");
    const after = office.save();
    expect(packed(after, "word/styles.xml")).toEqual(packed(before, "word/styles.xml"));
    expect(listZip(after)?.map(({ name }) => name)).toEqual(listZip(before)?.map(({ name }) => name));
    expect(new TextDecoder().decode(openTemplatePackage(after).read("word/document.xml"))).toBe(
      "<w:document>new</w:document>",
    );
    expect(office.save()).toEqual(after);
  });

  it("adds parts with their content types, and takes others out", () => {
    const office = openTemplatePackage(file({ "word/old.xml": "<old/>" }));
    const name = office.freeName("word/media/picture", ".png");
    office.add(name, new Uint8Array([1]), "image/png");
    office.add("word/new.xml", "<new/>", "application/x-new+xml");
    office.remove("word/old.xml");
    office.setContentType("word/document.xml", "application/x-other+xml");
    const again = openTemplatePackage(office.save());
    expect(again.contentType("word/media/picture1.png")).toBe("image/png");
    expect(again.contentType("word/new.xml")).toBe("application/x-new+xml");
    expect(again.contentType("word/document.xml")).toBe("application/x-other+xml");
    expect(again.has("word/old.xml")).toBe(false);
    expect(again.names.at(-1)).toBe("word/new.xml");
    expect(again.freeName("word/media/picture", ".png")).toBe("word/media/picture2.png");
  });

  it("adds a relationship once", () => {
    const office = openTemplatePackage(file());
    const id = addRelationship(office, "word/document.xml", "http://x/image", "word/media/a.png");
    expect(addRelationship(office, "word/document.xml", "http://x/image", "word/media/a.png")).toBe(id);
    expect(relationshipsOf(office, "word/document.xml")).toEqual([
      { id, type: "http://x/image", target: "word/media/a.png", external: false },
    ]);
    expect(relativeTarget("ppt/slides/slide1.xml", "ppt/media/a.png")).toBe("../media/a.png");
  });

  it.each([
    ["a project of macros", { "word/vbaProject.bin": new Uint8Array([1]) }],
    [
      "a content type with macros",
      { "[Content_Types].xml": TYPES.replace(/vnd\.[\w.-]+main/, "vnd.ms-word.document.macroEnabled.main") },
    ],
  ])("refuses %s", (_what, more) => {
    expect(() => openTemplatePackage(file(more))).toThrow(UnprocessableEntity);
    expect(() => openTemplatePackage(file(more))).toThrow(/has macros/);
  });

  it("refuses a document type declaration", () => {
    expect(() => openTemplatePackage(file({ "word/bad.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }))).toThrow(
      /corrupted/,
    );
  });
});
