/** Forms whose objects stand in streams (PDF 32000-1, 7.5.7 and 7.5.8). */
import { deflateSync } from "node:zlib";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const file = (content: string): Uint8Array => new Uint8Array(Buffer.from(content, "latin1"));

export interface Packing {
  /** Inside of the dictionary of the stream of objects, in place of its own /N. */
  count?: number;
  /** Rows of the cross-references by object, in place of their own. */
  rows?: Record<number, [number, number, number]>;
  /** Inside of the dictionary of cross-references. */
  references?: string;
  predictor?: boolean;
  /** Changes the content of the stream of objects before it is packed. */
  change?: (content: Buffer) => Buffer;
}

const PACKED = [
  [1, "<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [10 0 R]>>>>"],
  [2, "<</Type /Pages /Kids [3 0 R] /Count 1>>"],
  [3, "<</Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Annots [10 0 R]>>"],
  [10, `<</Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (before) /Rect [20 20 200 40]>>`],
] as const;
const UP = 2;

/** A form whose objects stand in a stream, listed by a stream. */
export function packedForm({
  count = PACKED.length,
  rows = {},
  references,
  predictor = false,
  change,
}: Packing = {}): Uint8Array {
  let [head, body] = ["", ""];
  for (const [number, content] of PACKED) {
    head += `${number} ${body.length} `;
    body += `${content} `;
  }
  const content = Buffer.from(head + body);
  const packed = deflateSync(change?.(content) ?? content).toString("latin1");
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
export function hybridForm(): Uint8Array {
  const packed = text(packedForm());
  const [before = "", offset] = packed.split("startxref\n");
  const at = Number.parseInt(offset ?? "", 10);
  const entries = Array.from({ length: 22 }, (_, number) =>
    number === 20 ? "0000000009 00000 n \n" : "0000000000 65535 f \n",
  ).join("");
  const table = `xref\n0 22\n${entries}trailer <</Size 22 /Root 1 0 R /XRefStm ${at}>>\n`;
  return file(`${before}${table}startxref\n${before.length}\n%%EOF\n`);
}
