import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { describeForm } from "../../../../../functions/engine/templates/pdf/describe-form.ts";
import { BadRequest, Conflict, UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { fill, ink, Objects } from "../../../../support/filled-form.ts";
import { handForm, look, streamObject } from "../../../../support/hand-form.ts";

/** Text fields, one above the other. */
const texts = (...insides: string[]) =>
  insides.map((inside, index) => `/FT /Tx /Rect [20 ${20 + 40 * index} 200 ${40 + 40 * index}] ${inside}`);

const namesOf = async (bytes: Uint8Array) => (await describeForm(bytes)).fields.map(({ name }) => name);

describe("fillForm, names", () => {
  const nested = handForm({
    widgets: ["/Parent 50 0 R /FT /Tx /T (street) /Rect [20 20 200 40]", ...texts("/T (a.b)").slice(0, 1)],
    fields: "50 0 R 11 0 R",
    objects: ["50 0 obj <</T (address) /Kids [10 0 R]>> endobj"],
  });

  it("takes full names and nested objects", async () => {
    for (const fields of [{ "address.street": "Rue 1" }, { address: { street: "Rue 1" } }]) {
      expect((await Objects.of((await fill(nested, fields)).bytes)).text(0, "V")).toBe("(Rue 1)");
    }
  });

  it("takes a name that has full stops of its own", async () => {
    const { bytes } = await fill(nested, { a: { b: "x" } });
    expect((await Objects.of(bytes)).text(1, "V")).toBe("(x)");
  });

  it("refuses names that the template does not have, all at once", async () => {
    const filling = fill(nested, { address: { city: "B", street: "S" }, zip: 1 });
    await expect(filling).rejects.toThrow("The template does not have the fields address.city, zip");
    await expect(filling).rejects.toMatchObject({
      errors: [{ path: "/fields/address.city" }, { path: "/fields/zip" }],
    });
  });

  it("passes over such names on request, and names them", async () => {
    const { unknownFields } = await fill(nested, { zip: 1, "a.b": "x" }, { ignoreUnknown: true });
    expect(unknownFields).toEqual(["zip"]);
  });

  it("names every field that a strict request leaves out", async () => {
    const filling = fill(nested, { "a.b": "x" }, { missingIsError: true });
    await expect(filling).rejects.toThrow("The request leaves out the field address.street");
  });

  it("tells the faults of all values at once", async () => {
    const form = handForm({ widgets: texts("/T (a) /MaxLen 1", "/T (b) /MaxLen 1", "/T (c)") });
    const filling = fill(form, { a: "too long", b: [], c: "fine" });
    await expect(filling).rejects.toMatchObject({ errors: [{ path: "/fields/a" }, { path: "/fields/b" }] });
    await expect(filling).rejects.toThrow("(and 1 more fault: see errors)");
  });

  it("fills all fields of one name", async () => {
    const { bytes } = await fill(handForm({ widgets: texts("/T (same)", "/T (same)") }), { same: "twice" });
    const objects = await Objects.of(bytes);
    expect([objects.text(0, "V"), objects.text(1, "V")]).toEqual(["(twice)", "(twice)"]);
    expect(await ink(bytes, [20, 20, 200, 40])).toBe(await ink(bytes, [20, 60, 200, 80]));
  });

  it("finds widgets that stand on pages only, and gives them a place in the form", async () => {
    for (const fields of ["", null]) {
      const { bytes } = await fill(handForm({ widgets: texts("/T (orphan)", "/T (other)"), fields }), { orphan: "x" });
      const form = (await PDFDocument.load(bytes)).getForm();
      expect(form.getFields().map((field) => field.getName())).toEqual(["orphan"]);
      expect(form.getTextField("orphan").getText()).toBe("x");
    }
  });
});

describe("fillForm, the rest of the file", () => {
  const drawn = handForm({
    widgets: texts("/T (a)", "/T (b) /V (kept) /AP <</N 100 0 R>>"),
    form: "/NeedAppearances true /XFA 110 0 R",
    catalog: "/NeedsRendering true",
    objects: [look(100, "0 0 20 20 re f % kept to the byte"), streamObject(110, "", "<xdp/>")],
  });

  it("leaves untouched appearances byte for byte", async () => {
    const { bytes } = await fill(drawn, { a: "x" });
    expect((await Objects.of(bytes)).operators(1)).toBe("0 0 20 20 re f % kept to the byte");
  });

  it("removes NeedAppearances, with which values vanish in readers, and XFA", async () => {
    const { catalog } = await Objects.of((await fill(drawn, { a: "x" })).bytes);
    const form = String(catalog.lookup(catalog.keys().find((key) => String(key) === "/AcroForm") as never));
    expect(form).not.toMatch(/NeedAppearances|XFA/);
    expect(String(catalog)).not.toContain("NeedsRendering");
  });

  it("draws a value that the file leaves to the reader", async () => {
    const form = handForm({ widgets: texts("/T (a)", "/T (b) /V (there already)"), form: "/NeedAppearances true" });
    expect(await ink((await fill(form, { a: "x" })).bytes, [20, 60, 200, 80])).toBeGreaterThan(40);
  });

  it("draws what a viewer would show only when clicked", async () => {
    const { bytes } = await fill(handForm({ widgets: texts("/T (a)") }), { a: "seen at once" });
    expect(await ink(bytes, [20, 20, 200, 40])).toBeGreaterThan(60);
  });

  it("writes the same bytes for the same values", async () => {
    const once = await fill(drawn, { a: "Тарас" });
    expect(Buffer.from(once.bytes).equals((await fill(drawn, { a: "Тарас" })).bytes)).toBe(true);
  });

  it("mixes nothing up among fills at the same time", async () => {
    const values = Array.from({ length: 20 }, (_, index) => `№ ${index} 中文 ${"абв".repeat(index)}`);
    const together = await Promise.all(values.map((value) => fill(drawn, { a: value })));
    for (const [index, { bytes }] of together.entries()) {
      expect(Buffer.from(bytes).equals((await fill(drawn, { a: values[index] ?? "" })).bytes)).toBe(true);
    }
  });

  it("refuses a PDF without fields", async () => {
    await expect(fill(handForm({ widgets: [] }), {})).rejects.toThrow("The PDF has no fields to fill");
  });

  it("drops usage rights, which were for the unchanged file", async () => {
    const form = handForm({ widgets: texts("/T (a)"), catalog: "/Perms <</UR3 <</ByteRange [0 1 2 3]>>>>" });
    const { bytes } = await fill(form, { a: "x" });
    expect(String((await Objects.of(bytes)).catalog)).not.toContain("Perms");
  });
});

describe("fillForm, signed files", () => {
  const signature = "50 0 obj <</Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 9 20 9] /Contents <00>>> endobj";
  const signed = (more: { catalog?: string; object?: string } = {}) =>
    handForm({
      widgets: [...texts("/T (a)"), "/FT /Sig /T (sig) /V 50 0 R /Rect [20 200 200 240]"],
      form: "/SigFlags 3",
      catalog: more.catalog ?? "",
      objects: [signature, more.object ?? ""].filter((one) => one !== ""),
    });

  it("keep their bytes; what is filled follows them", async () => {
    const form = signed();
    const { bytes } = await fill(form, { a: "Тарас signed" });
    expect(Buffer.from(bytes.subarray(0, form.length)).equals(form)).toBe(true);
    expect(bytes.length).toBeGreaterThan(form.length);
    expect(Buffer.from(bytes.subarray(form.length)).toString("latin1")).toContain(
      `/Prev ${Buffer.from(form).lastIndexOf("xref\n0")}`,
    );
    expect(await ink(bytes, [20, 20, 200, 40])).toBeGreaterThan(60);
    expect((await Objects.of(bytes)).text(0, "V")).toMatch(/^<FEFF0422/);
  });

  it("are said to be signed", async () => {
    expect((await describeForm(signed())).signed).toBe(true);
    // A field to sign is no signature.
    const open = handForm({ widgets: ["/FT /Sig /T (sig) /Rect [20 20 200 40]"], form: "/SigFlags 3" });
    expect((await describeForm(open)).signed).toBe(false);
  });

  it("cannot be flattened", async () => {
    await expect(fill(signed(), { a: "x" }, { flatten: true })).rejects.toBeInstanceOf(Conflict);
  });

  it("that are certified against every change are refused", async () => {
    const object = "51 0 obj <</Type /Sig /Reference [<</TransformMethod /DocMDP /TransformParams <</P 1>>>>]>> endobj";
    const filling = fill(signed({ catalog: "/Perms <</DocMDP 51 0 R>>", object }), { a: "x" });
    await expect(filling).rejects.toThrow("The PDF is certified against every change");
  });

  it("take no picture over their signature", async () => {
    await expect(fill(signed(), { sig: { _ref: "x" } })).rejects.toThrow("The field sig is signed");
  });
});

describe("fillForm, the bytes of the template", () => {
  const template = handForm({ widgets: texts("/T (a)", "/T (b) /V (kept)") });

  it("stay, and what changes is appended", async () => {
    const { bytes } = await fill(template, { a: "new" });
    expect(Buffer.from(bytes.subarray(0, template.length)).equals(Buffer.from(template))).toBe(true);
    expect(Buffer.from(bytes.subarray(template.length)).toString("latin1")).not.toContain("(kept)");
    expect(await ink(bytes, [20, 20, 200, 40])).toBeGreaterThan(5);
  });

  it("do not stay once it is flattened, since they have the fields", async () => {
    const { bytes } = await fill(template, { a: "new" }, { flatten: true });
    expect(Buffer.from(bytes).toString("latin1")).not.toContain("(kept)");
    expect(await namesOf(bytes)).toEqual([]);
  });
});

describe("fillForm, files with very many objects", () => {
  const many = handForm({
    widgets: texts("/T (a)"),
    objects: Array.from({ length: 12_000 }, (_, index) => `${100 + index} 0 obj <</A ${index}>> endobj`),
  });

  it("are appended to, since writing them anew takes the library the square of their number", async () => {
    const { bytes } = await fill(many, { a: "x" });
    expect(bytes.length).toBeLessThan(many.length + 2_000);
    expect(await ink(bytes, [20, 20, 200, 40])).toBeGreaterThan(5);
  });

  it("are written anew where their cross-references are not where they should be", async () => {
    const broken = new Uint8Array(
      Buffer.from(
        Buffer.from(many)
          .toString("latin1")
          .replace(/startxref\n\d+/, "startxref\n9"),
        "latin1",
      ),
    );
    const { bytes } = await fill(broken, { a: "x" });
    expect(bytes.length).toBeLessThan(many.length / 2);
    expect(await ink(bytes, [20, 20, 200, 40])).toBeGreaterThan(5);
  });

  it("have no field once they are flattened", async () => {
    const { bytes } = await fill(many, { a: "flat" }, { flatten: true });
    expect(await namesOf(bytes)).toEqual([]);
    expect(await ink(bytes, [20, 20, 200, 40])).toBeGreaterThan(20);
  });
});

describe("fillForm, flatten", () => {
  const form = handForm({
    widgets: [
      ...texts("/T (a)", "/T (b) /V (kept) /AP <</N 100 0 R>>"),
      "/FT /Btn /T (ticked) /V /On /AS /On /Rect [20 200 40 220] /AP <</N <</On 102 0 R>>>>",
      "/FT /Btn /T (bare) /V /Yes /Rect [60 200 80 220]",
      "/FT /Btn /T (open) /AS /Off /Rect [100 200 120 220] /AP <</N <</On 102 0 R>>>>",
      "/FT /Tx /T (read) /Ff 1 /V (read only) /Rect [20 240 200 260]",
      "/FT /Tx /T (hidden) /F 2 /V (hidden) /Rect [20 280 200 300] /AP <</N 102 0 R>>",
    ],
    page: "/Contents 110 0 R",
    objects: [look(100, "2 2 16 16 re f"), look(102, "2 2 16 16 re f"), streamObject(110, "", "2 0 0 2 0 0 cm")],
  });

  it("leaves no field, and keeps text and ticks visible", async () => {
    const { bytes } = await fill(form, { a: "flat" }, { flatten: true });
    expect(await namesOf(bytes)).toEqual([]);
    expect(String((await Objects.of(bytes)).object(3))).not.toContain("Annots");
    expect(String((await Objects.of(bytes)).catalog)).not.toContain("AcroForm");
    expect(await ink(bytes, [20, 20, 200, 40])).toBeGreaterThan(20);
    expect(await ink(bytes, [20, 60, 200, 80])).toBeGreaterThan(200);
    expect(await ink(bytes, [20, 200, 40, 220])).toBeGreaterThan(200);
    expect(await ink(bytes, [60, 200, 80, 220])).toBeGreaterThan(20);
    expect(await ink(bytes, [20, 240, 200, 260])).toBeGreaterThan(20);
  });

  it("draws neither what is unchecked nor what is hidden", async () => {
    const { bytes } = await fill(form, { a: "flat" }, { flatten: true });
    expect(await ink(bytes, [100, 200, 120, 220])).toBe(0);
    expect(await ink(bytes, [20, 280, 200, 300])).toBe(0);
  });

  it("does not take read-only fields for flattened ones", async () => {
    const { bytes } = await fill(form, { read: "filled" });
    expect((await Objects.of(bytes)).text(5, "V")).toBe("(filled)");
    expect(await namesOf(bytes)).toContain("read");
  });

  it("shows the same as the form with its fields", async () => {
    const values = { a: "the same", open: true };
    const [flat, live] = [await fill(form, values, { flatten: true }), await fill(form, values)];
    for (const box of [
      [20, 20, 200, 40],
      [20, 200, 40, 220],
      [100, 200, 120, 220],
    ] as const) {
      expect(Math.abs((await ink(flat.bytes, box)) - (await ink(live.bytes, box)))).toBeLessThan(8);
    }
  });

  it("keeps annotations that are no fields", async () => {
    const noted = handForm({
      widgets: texts("/T (a)"),
      page: "/Annots [10 0 R 60 0 R]",
      objects: ["60 0 obj <</Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (note)>> endobj"],
    });
    const { bytes } = await fill(noted, { a: "x" }, { flatten: true });
    expect(String((await Objects.of(bytes)).object(3))).toContain("/Annots [ 60 0 R ]");
  });
});

describe("fillForm, protected files", () => {
  async function encrypted(options: { user?: string; fillingForms: boolean }): Promise<Uint8Array> {
    const document = await PDFDocument.load(handForm({ widgets: texts("/T (a)") }), { updateMetadata: false });
    document.encrypt({
      ownerPassword: "owner",
      ...(options.user === undefined ? {} : { userPassword: options.user }),
      permissions: { fillingForms: options.fillingForms, annotating: false, modifying: false },
    });
    // The library encrypts streams only: texts must stand in one.
    return document.save({ useObjectStreams: true, updateFieldAppearances: false });
  }

  it("opens what only an owner password protects, fills it, and says that the restrictions are gone", async () => {
    const form = await encrypted({ fillingForms: true });
    expect((await describeForm(form)).dropsRestrictions).toBe(true);
    const { bytes, restrictionsDropped } = await fill(form, { a: "x" });
    expect(restrictionsDropped).toBe(true);
    expect(Buffer.from(bytes).includes("/Encrypt")).toBe(false);
    expect((await describeForm(bytes)).fields).toMatchObject([{ name: "a", value: "x" }]);
  });

  it("refuses what the owner forbids to fill", async () => {
    const filling = fill(await encrypted({ fillingForms: false }), { a: "x" });
    await expect(filling).rejects.toThrow("The owner of the PDF forbids filling its form");
  });

  it("refuses what opens with a password only", async () => {
    const filling = fill(await encrypted({ user: "secret", fillingForms: true }), { a: "x" });
    await expect(filling).rejects.toThrow("The PDF opens only with a password; upload it without one");
  });

  it("refuses dynamic XFA forms, and says what to do", async () => {
    const form = handForm({ widgets: [], form: "/XFA 110 0 R", objects: [streamObject(110, "", "<xdp/>")] });
    await expect(describeForm(form)).rejects.toThrow("save it there as a static form");
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["no PDF", new TextEncoder().encode("hello")],
    ["the beginning of a PDF", handForm({ widgets: texts("/T (a)") }).subarray(0, 60)],
  ])("refuses %s as damaged", async (_, bytes) => {
    await expect(fill(bytes, { a: "x" })).rejects.toBeInstanceOf(UnprocessableEntity);
  });
});

describe("fillForm, BadRequest", () => {
  it("is the fault of every refused value", async () => {
    const form = handForm({ widgets: texts("/T (a)") });
    for (const value of [[], { _ref: "nowhere" }, { street: 1 }]) {
      await expect(fill(form, { a: value })).rejects.toBeInstanceOf(BadRequest);
    }
  });
});
