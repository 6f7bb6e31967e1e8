/** The judged documents of sets whose first sight is over. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { cacheFolder, takeFile } from "../first-sight/cache.ts";
import { keepLayouts } from "../first-sight/kept-layouts.ts";
import { questionOf } from "../first-sight/measure.ts";
import { documentOf, loadSet, needsRecognition } from "../first-sight/sets.ts";
import { openBenchReader } from "../offline/reading.ts";
import type { BenchDocument, FirstErrors } from "./documents.ts";

/** Sets whose first sight is over. */
const SEEN_SETS = [
  ...[
    "invoices-1",
    "invoices-2",
    "invoices-3",
    "invoices-4",
    "invoices-5",
    "invoices-6",
    "invoices-7",
    "invoices-8",
    "prose-a",
    "prose-b",
    "prose-c",
    "prose-d",
    "prose-e",
    "prose-f",
    "prose-g",
    "prose-h",
  ],
  ...[
    "filled-forms-a",
    "filled-forms-b",
    "filled-forms-c",
    "filled-forms-d",
    "filled-forms-e",
    "filled-forms-f",
    "filled-forms-g",
  ],
  ...[
    "blank-forms-a",
    "blank-forms-b",
    "blank-forms-c",
    "blank-forms-d",
    "blank-forms-e",
    "blank-forms-f",
    "blank-forms-g",
  ],
];

/**
 * Documents of sets that were run at first sight before, as far as their files are in the cache.
 * @param only some of these sets
 * @throws RangeError for a set that is none of them
 */
export async function* seenDocuments(
  recognise: boolean,
  cache: string | null,
  only: readonly string[] = SEEN_SETS,
): AsyncGenerator<BenchDocument> {
  const unknown = only.filter((name) => !SEEN_SETS.includes(name));
  if (unknown.length > 0) throw new RangeError(`No first sight of ${unknown.join(", ")} is over`);
  const kept = await readFile(path.join(import.meta.dirname, "first-errors.json"), "utf8");
  const errors = JSON.parse(kept) as Record<string, Record<string, FirstErrors>>;
  const own = openBenchReader(recognise);
  const reader = cache === null ? own : keepLayouts(own, path.join(cache, "layouts"));
  for (const name of SEEN_SETS.filter((one) => only.includes(one))) {
    const set = await loadSet(name);
    for (const file of set.files) {
      const isPicture = needsRecognition(file.kind);
      const found = await takeFile(cacheFolder([]), file, false, set.fills);
      if ("missing" in found) console.warn(`NOT MEASURED: ${file.name}: ${found.missing}`);
      if ("missing" in found || (isPicture && !recognise)) continue;
      const { mimeType } = sniffDocument(found.bytes, undefined, file.path);
      const { layout } = await reader.readBytes(found.bytes, mimeType);
      const { lines: _, ...truth } = set.truths[file.name] ?? {};
      const firstErrors = errors[name]?.[file.name];
      yield {
        ...{ group: documentOf(file), source: "corpus", recognised: isPicture, layout, truth, kind: file.kind },
        question: questionOf(set, file),
        ...(firstErrors === undefined ? {} : { firstErrors }),
      };
    }
  }
  await reader.close();
}
