import { PDFDocument, PDFInvalidObject } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { describeForm } from "../../../../../../functions/engine/templates/pdf/describe-form.ts";
import { openLazily } from "../../../../../../functions/engine/templates/pdf/lazy/lazy-document.ts";
import { lazyObjectsOf } from "../../../../../../functions/engine/templates/pdf/lazy/lazy-objects.ts";
import { withForm } from "../../../../../../functions/engine/templates/pdf/open-form.ts";
import { cpuSeconds } from "../../../../../support/cpu.ts";
import { fill, Objects } from "../../../../../support/filled-form.ts";
import { handForm } from "../../../../../support/hand-form.ts";
import { hybridForm, packedForm } from "../../../../../support/packed-form.ts";

const FIELD = "/FT /Tx /T (a) /V (before) /Rect [20 20 200 40]";
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const file = (content: string): Uint8Array => new Uint8Array(Buffer.from(content, "latin1"));
/** A form, changed where its length stays the same. */
const changed = (from: string | RegExp, to: string): Uint8Array =>
  file(text(handForm({ widgets: [FIELD] })).replace(from, to));

const isLazy = (bytes: Uint8Array): Promise<boolean> =>
  withForm(bytes, ({ document }) => lazyObjectsOf(document.context) !== undefined);

describe("openLazily", () => {
  it.each([
    ["a table", () => handForm({ widgets: [FIELD] })],
    ["a stream", () => packedForm()],
    ["a stream with predictors", () => packedForm({ predictor: true })],
    ["a table and a stream beside it", hybridForm],
  ])("reads the same objects as from front to back, listed by %s", async (_, form) => {
    const whole = (await PDFDocument.load(form(), { updateMetadata: false })).context;
    const lazy = openLazily(form())?.document.context;
    const written = lazy?.enumerateIndirectObjects().map(([ref, object]) => [ref.tag, object.toString()]);
    expect(written).toEqual(whole.enumerateIndirectObjects().map(([ref, object]) => [ref.tag, object.toString()]));
    expect(lazy?.largestObjectNumber).toBe(whole.largestObjectNumber);
    expect(lazy?.pdfFileDetails).toEqual(whole.pdfFileDetails);
  });

  it("reads no object that nobody asks for", async () => {
    const objects = Array.from({ length: 100 }, (_, index) => `${100 + index} 0 obj <</A ${index}>> endobj`);
    const opened = openLazily(handForm({ widgets: [FIELD], objects }));
    expect(opened?.objects.readCount).toBe(1);
    const { bytes } = await fill(handForm({ widgets: [FIELD], objects }), { a: "after" });
    expect((await Objects.of(bytes)).text(0, "V")).toBe("(after)");
  });

  it("reads the newest revision, and adds another one to it", async () => {
    const { bytes: first } = await fill(packedForm(), { a: "second" });
    expect(await isLazy(first)).toBe(true);
    expect((await describeForm(first)).fields[0]?.value).toBe("second");
    const { bytes: second } = await fill(first, { a: "third" });
    expect(await isLazy(second)).toBe(true);
    expect((await Objects.of(second)).text(0, "V")).toBe("(third)");
  });
});

const table = "xref\n0 11\n";
const chain = (prev: number): Uint8Array => changed("/Root 1 0 R>>", `/Root 1 0 R /Prev ${prev}>>`);
const startOf = Number(/startxref\n(\d+)/u.exec(text(handForm({ widgets: [FIELD] })))?.[1]);

/** Forms whose lists are not as they should be, which readers repair. */
const FAULTY: Record<string, () => Uint8Array> = {
  "an end that is missing": () => changed(/startxref.*/su, ""),
  "an end that leads nowhere": () => changed(/startxref\n\d+/u, "startxref\n999999999999"),
  "something after its end": () => file(`${text(handForm({ widgets: [FIELD] }))}99 0 obj 1 endobj\n`),
  "something before its beginning": () => file(`junk\n${text(handForm({ widgets: [FIELD] }))}`),
  "a table with a damaged line": () => changed("0000000000 65535 f", "000000000x 65535 f"),
  "a table of a billion lines": () => changed(table, "xref\n0 1000000000\n"),
  "a page at another offset": () =>
    changed(/\n\d{10} 00000 n \n0000000000 65535 f \n/u, "\n0000000001 00000 n \n0000000000 65535 f \n"),
  "revisions that go round": () => chain(startOf),
  "a revision before that is nowhere": () => chain(5),
  "half an index": () => packedForm({ references: "/W [1 2 1] /Size 22 /Index [0]" }),
  "a stream that is in itself": () => packedForm({ rows: { 20: [2, 20, 0] } }),
  "objects at another place of their stream": () => packedForm({ rows: { 10: [2, 20, 1] } }),
  "objects that are not listed": () => packedForm({ rows: { 10: [1, 3, 0] } }),
};

describe("withForm", () => {
  it.each(Object.keys(FAULTY))("reads a file from front to back that has %s", async (name) => {
    const form = FAULTY[name]?.() ?? new Uint8Array();
    const start = process.cpuUsage();
    expect(await isLazy(form)).toBe(false);
    expect((await describeForm(form)).fields.map((field) => field.value)).toEqual(["before"]);
    expect(cpuSeconds(start)).toBeLessThan(1);
  });

  it.each([
    "/W [1 999999999 1] /Size 22",
    "/W [1 -2 1] /Size 22",
    "/W [1 2 1] /Size 1000000000",
    "/W [1 2 1] /Size 22 /Index [0 1000000000]",
    "/W [1 2 1] /Size 22 /Index 5 0 R",
  ])("refuses a list of objects beyond all measure: %s", async (references) => {
    await expect(describeForm(packedForm({ references }))).rejects.toThrow("lists its objects");
  });

  it("ends soon on a stream that tells of a billion objects", async () => {
    const form = packedForm({ count: 1_000_000_000 });
    const start = process.cpuUsage();
    const end = await describeForm(form).catch((error: unknown) => error);
    expect(openLazily(form)).toBeUndefined();
    expect(String(end)).toContain("damaged");
    expect(cpuSeconds(start)).toBeLessThan(1);
  });

  it("does the work again where a fault shows late, even if the work hides it", async () => {
    const form = changed("/T (a)", "/T (a ");
    const seen: boolean[] = [];
    const found = await withForm(form, ({ document: { context } }) => {
      seen.push(lazyObjectsOf(context) !== undefined);
      return context.enumerateIndirectObjects().some(([, object]) => object instanceof PDFInvalidObject);
    });
    expect(seen.at(-1)).toBe(false);
    expect(found).toBe(true);
  });

  it("reads a file whole that is to be written anew", async () => {
    const form = handForm({ widgets: [FIELD] });
    const whole = withForm(form, ({ document }) => lazyObjectsOf(document.context), { whole: true });
    expect(await whole).toBeUndefined();
    expect(await isLazy(form)).toBe(true);
  });
});
