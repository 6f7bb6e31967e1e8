import { deflateSync } from "node:zlib";
import { PDFDocument, PDFInvalidObject } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { describeForm } from "../../../../../../functions/engine/templates/pdf/describe-form.ts";
import { openLazily } from "../../../../../../functions/engine/templates/pdf/lazy/lazy-document.ts";
import { lazyObjectsOf } from "../../../../../../functions/engine/templates/pdf/lazy/lazy-objects.ts";
import { withForm } from "../../../../../../functions/engine/templates/pdf/open-form.ts";
import { cpuSeconds } from "../../../../../support/cpu.ts";
import { fill, Objects } from "../../../../../support/filled-form.ts";
import { handForm } from "../../../../../support/hand-form.ts";

const FIELD = "/FT /Tx /T (a) /V (before) /Rect [20 20 200 40]";
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const file = (content: string): Uint8Array => new Uint8Array(Buffer.from(content, "latin1"));
/** A form, changed where its length stays the same. */
const changed = (from: string | RegExp, to: string): Uint8Array =>
  file(text(handForm({ widgets: [FIELD] })).replace(from, to));

interface Packing {
  /** Inside of the dictionary of the stream of objects, in place of its own /N. */
  count?: number;
  /** Rows of the cross-references by object, in place of their own. */
  rows?: Record<number, [number, number, number]>;
  /** Inside of the dictionary of cross-references. */
  references?: string;
  predictor?: boolean;
}

const PACKED = [
  [1, "<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [10 0 R]>>>>"],
  [2, "<</Type /Pages /Kids [3 0 R] /Count 1>>"],
  [3, "<</Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Annots [10 0 R]>>"],
  [10, `<</Type /Annot /Subtype /Widget ${FIELD}>>`],
] as const;
const UP = 2;

/** A form whose objects stand in a stream, listed by a stream. */
function packedForm({ count = PACKED.length, rows = {}, references, predictor = false }: Packing = {}): Uint8Array {
  let [head, body] = ["", ""];
  for (const [number, content] of PACKED) {
    head += `${number} ${body.length} `;
    body += `${content} `;
  }
  const packed = deflateSync(Buffer.from(head + body)).toString("latin1");
  const start = "%PDF-1.7\n";
  const dictionary = `/Type /ObjStm /N ${count} /First ${head.length} /Filter /FlateDecode /Length ${packed.length}`;
  const stream = `20 0 obj <<${dictionary}>> stream\n${packed}\nendstream endobj\n`;
  const offset = start.length + stream.length;
  const places: Record<number, [number, number, number]> = { 20: [1, start.length, 0], 21: [1, offset, 0] };
  for (const [index, [number]] of PACKED.entries()) places[number] = [2, 20, index];
  Object.assign(places, rows);
  const lines = Array.from({ length: 22 }, (_, number) => {
    const [type, second, third] = places[number] ?? [0, 0, 0];
    return [type, second >> 8, second & 0xff, third];
  });
  const plain = lines.flatMap((line, row) =>
    predictor ? [UP, ...line.map((byte, column) => (byte - (lines[row - 1]?.[column] ?? 0)) & 0xff)] : line,
  );
  const listed = deflateSync(Buffer.from(plain)).toString("latin1");
  const inside = references ?? "/W [1 2 1] /Size 22";
  const parameters = predictor ? "/DecodeParms <</Predictor 12 /Columns 4>>" : "";
  const list = `21 0 obj <</Type /XRef /Root 1 0 R ${inside} ${parameters} /Filter /FlateDecode /Length ${listed.length}>> stream\n`;
  return file(`${start}${stream}${list}${listed}\nendstream endobj\nstartxref\n${offset}\n%%EOF\n`);
}

/** A form whose table does not show the objects in a stream, and names a list that does. */
function hybridForm(): Uint8Array {
  const packed = text(packedForm());
  const [before = "", offset] = packed.split("startxref\n");
  const at = Number.parseInt(offset ?? "", 10);
  const entries = Array.from({ length: 22 }, (_, number) =>
    number === 20 ? "0000000009 00000 n \n" : "0000000000 65535 f \n",
  ).join("");
  const table = `xref\n0 22\n${entries}trailer <</Size 22 /Root 1 0 R /XRefStm ${at}>>\n`;
  return file(`${before}${table}startxref\n${before.length}\n%%EOF\n`);
}

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
