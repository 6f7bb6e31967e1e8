/** What recognition made of true values: read where they were drawn. */

import { locateValues } from "../../functions/engine/grounding/locate-values.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { scanDates } from "../../functions/engine/values/dates.ts";
import { scanNumbers } from "../../functions/engine/values/numbers.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Box, Layout, Word } from "../../functions/ports/layout.ts";
import { toUpright } from "../ocr/pages.ts";
import type { BenchDocument } from "./documents.ts";

/** Inches by which a word may be off its place. */
const SLACK = 0.04;

/** Words of a scan whose middle stands in a box of the page as it was drawn. */
function wordsIn({ pages }: Layout, pageNumber: number, box: Box): Word[] {
  const page = pages.find(({ number }) => number === pageNumber);
  if (page === undefined) return [];
  return pageWords(page).filter((word) => {
    const middle = { x: (word.box.left + word.box.right) / 2, y: (word.box.top + word.box.bottom) / 2 };
    const { x, y } = toUpright(middle.x, middle.y, { width: page.width, height: page.height });
    return x > box.left - SLACK && x < box.right + SLACK && y > box.top - SLACK && y < box.bottom + SLACK;
  });
}

/** A text as the kind of value that is asked for. @returns null where it can be none */
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

/** By pointer: what a reader of the scan would take for a value that is there, where that is another one. */
export function misreadValues({ drawn, layout }: BenchDocument, truth: Json, schema: Json): Map<string, Json> {
  const misread = new Map<string, Json>();
  if (drawn === undefined) return misread;
  const { locations } = locateValues(drawn, truth, { schema, granularity: "word" }).sources;
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
    // Currencies are said by a sign.
    if (text === "" || (typeof value === "string" && /^[A-Z]{3}$/.test(value))) continue;
    const read = readAs(value, text);
    if (read !== null && String(read).replace(/\s/g, "") !== String(value).replace(/\s/g, ""))
      misread.set(pointer, read);
  }
  return misread;
}
