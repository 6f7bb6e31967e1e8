/** PowerPoint templates of the corpus, beside bare docxtemplater. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Docxtemplater from "docxtemplater";
import PizZip from "pizzip";
import { describePowerPoint, fillPowerPoint } from "../../functions/engine/templates/powerpoint/powerpoint-template.ts";
import type { JsonObject } from "../../functions/ports/json.ts";
import { distinctValues } from "./distinct-values.ts";
import type { OfficeCase } from "./office-case.ts";

const MOST_RATIO = 1.1;
const TABLE = "docxtemplater-loop-table.pptx";
const PAGES = "docxtemplater-multi-page.pptx";
/** Rows of the filled table: as many as people read on slides, times ten. */
const ROWS = 500;

/** Fills a deck with the library alone, as its documentation shows it. */
function fillBareDeck(bytes: Uint8Array, values: JsonObject): Uint8Array {
  const document = new Docxtemplater(new PizZip(bytes), { linebreaks: true, nullGetter: () => "" });
  document.render(values);
  return document.getZip().generate({ type: "uint8array", compression: "DEFLATE" });
}

function deckCase(name: string, size: string, bytes: Uint8Array, fields: JsonObject): OfficeCase {
  const request = { fields, images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false };
  return {
    name,
    size,
    ours: () => fillPowerPoint(bytes, request),
    bare: async () => fillBareDeck(bytes, fields),
    mostRatio: MOST_RATIO,
  };
}

/** @param corpus folder of real documents */
export async function powerPointCases(corpus: string): Promise<OfficeCase[]> {
  const [table, pages] = await Promise.all(
    [TABLE, PAGES].map((file) => readFile(join(corpus, "office-templates", file))),
  );
  if (table === undefined || pages === undefined) return [];
  const { fields } = await describePowerPoint(pages);
  const products = Array.from({ length: ROWS }, (_, index) => ({ name: `Product ${index}`, price: `${index} EUR` }));
  return [
    deckCase(PAGES, `${fields.length} fields`, pages, distinctValues(fields).values),
    deckCase(TABLE, `${ROWS} rows`, table, { products }),
  ];
}
