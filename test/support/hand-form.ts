/** PDF forms written object by object: shapes that no library writes. */

export interface HandForm {
  /** Inside of each widget's dictionary, which is the field's too; the first one is object 10. */
  widgets: readonly string[];
  /** Inside of the form's dictionary, besides /Fields and /DR. */
  form?: string;
  /** The form's fields; default: the widgets. `null`: no form at all. */
  fields?: string | null;
  /** Inside of the catalog's and of the page's dictionary. */
  catalog?: string;
  page?: string;
  /** Whole objects, from number 100. */
  objects?: readonly string[];
}

/** Object number of the widget at an index. */
export const widgetNumber = (index: number): number => 10 + index;

/** Writes a form of one page of 400 × 400 points, with a cross-reference table. Helvetica is /Helv, ZapfDingbats /ZaDb. */
export function handForm({ widgets, form = "", fields, catalog = "", page = "", objects = [] }: HandForm): Uint8Array {
  const refs = widgets.map((_, index) => `${widgetNumber(index)} 0 R`).join(" ");
  const acroForm =
    fields === null
      ? ""
      : `/AcroForm <</Fields [${fields ?? refs}] /DR <</Font <</Helv 5 0 R /ZaDb 6 0 R>>>> /DA (/Helv 0 Tf 0 g) ${form}>>`;
  const bodies = [
    `1 0 obj <</Type /Catalog /Pages 2 0 R ${acroForm} ${catalog}>> endobj`,
    "2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj",
    `3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Annots [${refs}] ${page}>> endobj`,
    "5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>> endobj",
    "6 0 obj <</Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats>> endobj",
    ...widgets.map(
      (inside, index) => `${widgetNumber(index)} 0 obj <</Type /Annot /Subtype /Widget /P 3 0 R ${inside}>> endobj`,
    ),
    ...objects,
  ];
  let file = "%PDF-1.7\n";
  const offsets = new Map<number, number>();
  for (const body of bodies) {
    offsets.set(Number.parseInt(body, 10), file.length);
    file += `${body}\n`;
  }
  const size = Math.max(...offsets.keys()) + 1;
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${size}\n${entries.join("")}trailer <</Size ${size} /Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file + table, "latin1"));
}

/** A stream object. @param inside of its dictionary, besides /Length */
export const streamObject = (number: number, inside: string, content: string): string =>
  `${number} 0 obj <<${inside} /Length ${content.length}>> stream\n${content}\nendstream endobj`;

/** An appearance of 20 × 20 points. */
export const look = (number: number, content: string): string =>
  streamObject(number, "/Type /XObject /Subtype /Form /BBox [0 0 20 20]", content);
