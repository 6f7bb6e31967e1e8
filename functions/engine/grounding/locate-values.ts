/**
 * Locates each value of a result on the page, independent of its extractor: a model's answer gets the same words and
 * boxes as offline extraction. Pure and deterministic; boxes as in source locations.
 */

import type { Json } from "../../ports/json.ts";
import type { Block, Layout } from "../../ports/layout.ts";
import { buildContext } from "../extraction/rules/document-context.ts";
import { type Extraction, type Granularity, locateFinding, placesOf } from "../extraction/rules/findings.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import type { AcroFormField } from "../forms/acroform/acroform.ts";
import { blockLines } from "../layout/page-words.ts";
import type { SourceLocation } from "../layout/source-locations.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import { type Leaf, leavesOf } from "../schema/result-leaves.ts";
import { viewDocument } from "../structure/view/document-view.ts";
import { FilledFormFields } from "./filled-form-fields.ts";
import { LeafLabels } from "./labelled-occurrences.ts";
import { layoutFormFields } from "./layout-form-fields.ts";
import { locateFields } from "./locate-fields.ts";
import { locateItems, type PlacedValue } from "./locate-items.ts";
import { ComparisonBudget, numberWords, type PrintedWords } from "./printed-words.ts";
import { ValueFinder } from "./value-finder.ts";

export interface LocateOptions {
  granularity: Granularity;
  /** Schema of the request: tells the meaning of fields and which are calculated. */
  schema?: ParsedSchema;
  /** Pointers of values that formulas filled. */
  calculated?: readonly string[];
  /** Number and date conventions of the document, if already known. */
  conventions?: Conventions;
  /** Fields of the PDF's form; absent: those that the layout holds. */
  formFields?: readonly AcroFormField[];
}

export type Located = Pick<Extraction, "sources" | "facts">;

/** Comparisons that one result may cost: seconds, not minutes. */
const MAX_COMPARISONS = 30_000_000;
/** Text of that many lines is a paragraph, located by its block rather than by its words. */
const MIN_PARAGRAPH_LINES = 3;
/**
 * Sample that decides the document's conventions: pages, words of a line (longer ones are no text lines), words in all.
 */
const MAX_SAMPLE_PAGES = 20;
const MAX_LINE_WORDS = 400;
const MAX_SAMPLE_WORDS = 20_000;

/** A sample of the layout, large enough to detect language, numbers and dates. */
function sampleOf(layout: Layout): Layout {
  let words = 0;
  const pages = layout.pages.slice(0, MAX_SAMPLE_PAGES).map((page) => ({
    ...page,
    blocks: page.blocks.flatMap((block): Block[] => {
      const lines = blockLines(block).filter((line) => line.words.length <= MAX_LINE_WORDS);
      if (words >= MAX_SAMPLE_WORDS || lines.length === 0) return [];
      words += lines.reduce((sum, line) => sum + line.words.length, 0);
      return [{ kind: "paragraph", box: block.box, lines }];
    }),
  }));
  return { ...layout, pages };
}

function byList(leaves: readonly Leaf[]): Map<string, Leaf[]> {
  const lists = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    if (leaf.item === null) continue;
    const list = lists.get(leaf.item.list);
    if (list === undefined) lists.set(leaf.item.list, [leaf]);
    else list.push(leaf);
  }
  return lists;
}

function locateAll(leaves: readonly Leaf[], printed: PrintedWords, conventions: Conventions): Map<Leaf, PlacedValue> {
  if (printed.tokens.length === 0 || leaves.length === 0) return new Map();
  const budget = new ComparisonBudget(MAX_COMPARISONS);
  const labels = new LeafLabels(printed, leaves);
  const finder = new ValueFinder(printed, conventions, labels, budget);
  const find = finder.find.bind(finder);
  const singles = leaves.filter(({ item }) => item === null);
  const placed = locateFields(singles, find, labels, printed, budget);
  for (const list of byList(leaves).values()) {
    for (const [leaf, place] of locateItems(list, find, labels)) placed.set(leaf, place);
  }
  return placed;
}

/** `auto` takes the block of a paragraph and the words of all other values. */
function locationOf(leaf: Leaf, { occurrence, confidence }: PlacedValue, granularity: Granularity): SourceLocation {
  const { tokens } = occurrence;
  const lines = new Set(tokens.map((token) => `${token.page} ${token.box.bottom.toFixed(1)}`));
  const paragraph = lines.size >= MIN_PARAGRAPH_LINES && new Set(tokens.map((token) => token.block)).size === 1;
  return locateFinding(
    { value: leaf.value, tokens, confidence },
    granularity === "auto" && paragraph ? "block" : granularity,
  );
}

/**
 * Locates the values of any JSON result. Every leaf, empty objects and lists included, is in exactly one of
 * `sources.locations` and `sources.unresolved` (`null-value`, `empty`, `derived`, `constant`, `not-found`). Never
 * throws, whatever the result.
 */
export function locateValues(layout: Layout, data: Json, options: LocateOptions): Located {
  const { values, unlocatable } = leavesOf(data, options.schema?.shape ?? null, new Set(options.calculated));
  const conventions = options.conventions ?? buildContext(sampleOf(layout), new Map(), []).conventions;
  const form = new FilledFormFields(options.formFields ?? layoutFormFields(layout), conventions);
  const filled = new Map(
    values.flatMap((leaf): [Leaf, SourceLocation][] => {
      const location = form.locate(leaf);
      return location === null ? [] : [[leaf, location]];
    }),
  );
  const printed = numberWords(viewDocument(layout));
  const placed = locateAll(
    values.filter((leaf) => !filled.has(leaf)),
    printed,
    conventions,
  );
  const locations: [string, SourceLocation][] = [];
  const unresolved = [...unlocatable];
  for (const leaf of values) {
    const place = placed.get(leaf);
    const location = filled.get(leaf) ?? (place && locationOf(leaf, place, options.granularity));
    if (location !== undefined) locations.push([leaf.pointer, location]);
    else
      unresolved.push({ pointer: leaf.pointer, reason: leaf.field.constant === leaf.value ? "constant" : "not-found" });
  }
  return placesOf(layout, options.granularity, { locations, unresolved });
}
