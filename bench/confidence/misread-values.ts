/** Misreadings of true values: the recognised words at the places where the values were drawn. */

import { locateValues } from "../../functions/engine/grounding/locate-values.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { parseSchema } from "../../functions/engine/schema/parsed-schema.ts";
import { scanDates } from "../../functions/engine/values/dates.ts";
import { scanNumbers } from "../../functions/engine/values/numbers.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Box, Layout, Word } from "../../functions/ports/layout.ts";
import { toUpright } from "../ocr/pages.ts";
import type { BenchDocument } from "./documents.ts";

/** Maximum distance of a word from its place. */
const MAX_WORD_OFFSET_INCHES = 0.04;

/** Words of a scan whose centre lies in a box of the drawn page. */
function wordsIn({ pages }: Layout, pageNumber: number, box: Box): Word[] {
  const page = pages.find(({ number }) => number === pageNumber);
  if (page === undefined) return [];
  return pageWords(page).filter((word) => {
    const middle = { x: (word.box.left + word.box.right) / 2, y: (word.box.top + word.box.bottom) / 2 };
    const { x, y } = toUpright(middle.x, middle.y, { width: page.width, height: page.height });
    return (
      x > box.left - MAX_WORD_OFFSET_INCHES &&
      x < box.right + MAX_WORD_OFFSET_INCHES &&
      y > box.top - MAX_WORD_OFFSET_INCHES &&
      y < box.bottom + MAX_WORD_OFFSET_INCHES
    );
  });
}

/** Reads a text as the requested kind of value. @returns null if it is none */
function readAs(value: Json, text: string): Json {
  if (typeof value === "number") {
    const readings = (["comma", "point"] as const).flatMap((notation) => scanNumbers(text, notation).slice(0, 1));
    const near = readings.sort((a, b) => Math.abs(a.value - value) - Math.abs(b.value - value))[0];
    return near?.value ?? null;
  }
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value))
    return scanDates(text, "day-first")[0]?.iso ?? null;
  return text;
}

/** By pointer: the misreading of each value that recognition changed. */
export function misreadValues({ drawn, layout }: BenchDocument, truth: Json, schema: Json): Map<string, Json> {
  const misread = new Map<string, Json>();
  if (drawn === undefined) return misread;
  const { locations } = locateValues(drawn, truth, { schema: parseSchema(schema), granularity: "word" }).sources;
  for (const [pointer, { pageAnchors }] of Object.entries(locations)) {
    const [anchor] = pageAnchors;
    const value = pointer
      .split("/")
      .slice(1)
      .reduce<Json | undefined>((node, step) => {
        if (typeof node !== "object" || node === null) return undefined;
        return Array.isArray(node) ? node[Number(step)] : node[step];
      }, truth);
    if (anchor === undefined || value === undefined || pageAnchors.length > 1) continue;
    const text = wordsIn(layout, anchor.pageNumber, anchor.bbox)
      .map((word) => word.text)
      .join(" ");
    // A sign may stand for a currency code.
    if (text === "" || (typeof value === "string" && /^[A-Z]{3}$/.test(value))) continue;
    const read = readAs(value, text);
    if (read !== null && String(read).replace(/\s/g, "") !== String(value).replace(/\s/g, ""))
      misread.set(pointer, read);
  }
  return misread;
}
