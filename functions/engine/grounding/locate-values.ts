/**
 * Where each value of a result stands on the page, whoever found the values: a model's answer is located by the same
 * words and boxes as what is read here. Pure and deterministic; boxes as in source locations.
 */

import type { Json } from "../../ports/json.ts";
import type { Block, Layout } from "../../ports/layout.ts";
import { lookOver } from "../extraction/rules/document-context.ts";
import { type Extraction, type Granularity, locate } from "../extraction/rules/findings.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import type { AcroFormField } from "../forms/acroform/acroform.ts";
import { blockLines } from "../layout/page-words.ts";
import type { SourceLocation } from "../layout/source-locations.ts";
import { type Leaf, leavesOf } from "../schema/result-leaves.ts";
import { readSchema } from "../schema/schema-shape.ts";
import { viewDocument } from "../structure/view/document-view.ts";
import { FormFields } from "./filled-form-fields.ts";
import { Labelling } from "./labelled-occurrences.ts";
import { placeSingles } from "./locate-fields.ts";
import { type Placed, placeItems } from "./locate-items.ts";
import { Budget, type Printed, printedWords } from "./printed-words.ts";
import { Finder } from "./value-finder.ts";

export interface LocateOptions {
  granularity: Granularity;
  /** What the result was asked for with; says what fields are about and which are calculated. */
  schema?: Json;
  /** Pointers of values that formulas filled. */
  calculated?: readonly string[];
  /** How the document writes numbers and dates, where that is known already. */
  conventions?: Conventions;
  /** Fields of the PDF's form: the layout does not tell their values from other words. */
  formFields?: readonly AcroFormField[];
}

export type Located = Pick<Extraction, "sources" | "facts">;

/** Comparisons that one result may cost: seconds, not minutes. */
const STEPS = 30_000_000;
/** Text on so many rows is a paragraph: its block says more than its words. */
const PARAGRAPH_ROWS = 3;
/** Pages that decide how a document writes; words of a line beyond what is a line. */
const SAMPLE_PAGES = 20;
const LONGEST_LINE = 400;
const SAMPLE_WORDS = 20_000;

/** Enough of a layout to tell its language, numbers and dates. */
function sampleOf(layout: Layout): Layout {
  let words = 0;
  const pages = layout.pages.slice(0, SAMPLE_PAGES).map((page) => ({
    ...page,
    blocks: page.blocks.flatMap((block): Block[] => {
      const lines = blockLines(block).filter((line) => line.words.length <= LONGEST_LINE);
      if (words >= SAMPLE_WORDS || lines.length === 0) return [];
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

function placeAll(leaves: readonly Leaf[], printed: Printed, conventions: Conventions): Map<Leaf, Placed> {
  if (printed.tokens.length === 0 || leaves.length === 0) return new Map();
  const budget = new Budget(STEPS);
  const labelling = new Labelling(printed, leaves);
  const finder = new Finder(printed, conventions, labelling, budget);
  const find = finder.find.bind(finder);
  const singles = leaves.filter(({ item }) => item === null);
  const placed = placeSingles(singles, find, labelling, printed, budget);
  for (const list of byList(leaves).values()) {
    for (const [leaf, place] of placeItems(list, find, labelling)) placed.set(leaf, place);
  }
  return placed;
}

/** `auto` takes the block of a paragraph and the words of all else. */
function locationOf(leaf: Leaf, { occurrence, confidence }: Placed, granularity: Granularity): SourceLocation {
  const { tokens } = occurrence;
  const lines = new Set(tokens.map((token) => `${token.page} ${token.box.bottom.toFixed(1)}`));
  const paragraph = lines.size >= PARAGRAPH_ROWS && new Set(tokens.map((token) => token.block)).size === 1;
  return locate({ value: leaf.value, tokens, confidence }, granularity === "auto" && paragraph ? "block" : granularity);
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3));

/**
 * Locates the values of any JSON result. Every leaf, empty objects and lists included, is in exactly one of
 * `sources.locations` and `sources.unresolved` (`null-value`, `empty`, `derived`, `constant`, `not-found`). Never
 * throws for a result, however odd.
 */
export function locateValues(layout: Layout, data: Json, options: LocateOptions): Located {
  const shape = options.schema === undefined ? null : readSchema(options.schema);
  const { values, without } = leavesOf(data, shape, new Set(options.calculated));
  const conventions = options.conventions ?? lookOver(sampleOf(layout), new Map(), []).conventions;
  const form = new FormFields(options.formFields ?? [], conventions);
  const filled = new Map(
    values.flatMap((leaf): [Leaf, SourceLocation][] => {
      const location = form.locate(leaf);
      return location === null ? [] : [[leaf, location]];
    }),
  );
  const printed = printedWords(viewDocument(layout));
  const placed = placeAll(
    values.filter((leaf) => !filled.has(leaf)),
    printed,
    conventions,
  );
  const locations: [string, SourceLocation][] = [];
  const unresolved = [...without];
  for (const leaf of values) {
    const place = placed.get(leaf);
    const location = filled.get(leaf) ?? (place && locationOf(leaf, place, options.granularity));
    if (location !== undefined) locations.push([leaf.pointer, location]);
    else
      unresolved.push({ pointer: leaf.pointer, reason: leaf.field.constant === leaf.value ? "constant" : "not-found" });
  }
  return {
    sources: {
      version: 1,
      granularity: options.granularity,
      pages: layout.pages.map(({ number, width, height, unit }) => ({ pageNumber: number, width, height, unit })),
      locations: Object.fromEntries(locations),
      unresolved,
    },
    facts: {
      found: locations.length,
      unresolved: unresolved.length,
      confidence: mean(locations.map(([, { confidence }]) => confidence)),
    },
  };
}
