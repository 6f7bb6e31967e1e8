/** Forms made to hang their readers, or to take all their memory. */
import { deflateSync } from "node:zlib";
import { handForm, streamObject, widgetNumber } from "./hand-form.ts";

const field = "/FT /Tx /T (a) /Rect [20 20 200 40]";

/** A file whose objects stand in one stream of zeros, or of numbers. */
function packed(content: Buffer, filter = "/FlateDecode", times = 1): Uint8Array {
  let bytes: Uint8Array = content;
  for (let time = 0; time < times; time += 1) bytes = deflateSync(bytes, { level: 9 });
  const filters = times === 1 ? filter : `[${Array.from({ length: times }, () => filter).join(" ")}]`;
  const stream = Buffer.concat([
    Buffer.from(`100 0 obj <</Type /ObjStm /N 1 /First 6 /Filter ${filters} /Length ${bytes.length}>> stream\n`),
    bytes,
    Buffer.from("\nendstream endobj\n"),
  ]);
  return new Uint8Array(Buffer.concat([Buffer.from(handForm({ widgets: [field] })), stream]));
}

const MEGABYTES = 300;

/** Forms by what is wrong with them. All end soon, at worst with a refusal. */
export const HOSTILE_FORMS: Readonly<Record<string, () => Uint8Array>> = {
  "a field that is its own parent": () => handForm({ widgets: [`/Parent 10 0 R /Kids [10 0 R] ${field}`] }),
  "fields whose parents go round": () =>
    handForm({
      widgets: [`/Parent 50 0 R ${field}`],
      fields: "50 0 R",
      objects: [
        "50 0 obj <</Parent 51 0 R /Kids [51 0 R 10 0 R] /T (x)>> endobj",
        "51 0 obj <</Parent 50 0 R /Kids [50 0 R] /T (y)>> endobj",
      ],
    }),
  "a tree of fields that doubles at each level": () =>
    handForm({
      widgets: [field],
      fields: "50 0 R",
      objects: Array.from(
        { length: 60 },
        (_, level) => `${50 + level} 0 obj <</T (f) /Kids [${51 + level} 0 R ${51 + level} 0 R]>> endobj`,
      ),
    }),
  "pages that contain themselves": () =>
    handForm({
      widgets: [field],
      catalog: "/Pages 60 0 R",
      objects: ["60 0 obj <</Type /Pages /Kids [60 0 R 3 0 R] /Count 2>> endobj"],
    }),
  "an appearance that draws itself": () =>
    handForm({
      widgets: [`${field} /AP <</N 100 0 R>>`],
      objects: [
        streamObject(
          100,
          "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</A 100 0 R>>>>",
          "/A Do",
        ),
      ],
    }),
  "references that go round": () =>
    handForm({
      widgets: [`${field} /AP 60 0 R /MaxLen 60 0 R /DA 60 0 R`],
      objects: ["60 0 obj 61 0 R endobj", "61 0 obj 60 0 R endobj"],
    }),
  "lists a hundred thousand deep": () =>
    handForm({ widgets: [`${field} /Opt ${"[".repeat(100_000)}${"]".repeat(100_000)}`] }),
  "dictionaries a hundred thousand deep": () =>
    handForm({ widgets: [`${field} /MK ${"<</A ".repeat(100_000)}1${">>".repeat(100_000)}`] }),
  "boxes beyond all measure": () =>
    handForm({
      widgets: [
        "/FT /Tx /T (a) /Rect [-9999999999999999999999 -99999999999999999 99999999999999999999999 999999999999999999] /Ff 16777216 /MaxLen 2147483647",
        "/FT /Tx /T (b) /Rect [0 0 .000000001 .000000001]",
      ],
    }),
  "fifty thousand widgets of one field": () => {
    const widgets = Array.from({ length: 50_000 }, () => "/Parent 9 0 R /Rect [20 20 30 30]");
    const kids = widgets.map((_, index) => `${widgetNumber(index)} 0 R`).join(" ");
    return handForm({ widgets, fields: "9 0 R", objects: [`9 0 obj <</FT /Tx /T (a) /Kids [${kids}]>> endobj`] });
  },
  "ten thousand fields of one name": () => handForm({ widgets: Array.from({ length: 10_000 }, () => field) }),
  "eighty-four thousand objects": () =>
    handForm({
      widgets: [field],
      objects: Array.from({ length: 84_000 }, (_, index) => `${100 + index} 0 obj <</A ${index} /B [1 2 3]>> endobj`),
    }),
  "an object stream of zeros": () => packed(Buffer.alloc(MEGABYTES * 2 ** 20)),
  "an object stream packed twice": () => packed(Buffer.alloc(MEGABYTES * 2 ** 20), "/FlateDecode", 2),
  "an object stream of millions of numbers": () => packed(Buffer.from(`1 0 [ ${"0 ".repeat(30_000_000)}]`)),
  "an object stream under an escaped name": () =>
    new Uint8Array(
      Buffer.from(
        Buffer.from(packed(Buffer.alloc(MEGABYTES * 2 ** 20)))
          .toString("latin1")
          .replace("/ObjStm", "/Obj#53tm"),
        "latin1",
      ),
    ),
  "ten megabytes of numbers": () => handForm({ widgets: [`${field} /X [${"0 ".repeat(4_900_000)}]`] }),
  "ten megabytes of opening brackets": () => new TextEncoder().encode(`%PDF-1.7\n1 0 obj ${"<<".repeat(4_900_000)}`),
};
