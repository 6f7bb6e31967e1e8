/** Helpers for located values: the words behind a pointer. */

import {
  type Located,
  type LocateOptions,
  locateValues,
} from "../../../../functions/engine/grounding/locate-values.ts";
import { pageWords } from "../../../../functions/engine/layout/page-words.ts";
import type { SourceLocation } from "../../../../functions/engine/layout/source-locations.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { PageMaker, type TextOptions } from "../extraction/page.ts";

/** The words of a location, in its order. */
export const wordsAt = (layout: Layout, location: SourceLocation | undefined): string | null =>
  location === undefined
    ? null
    : location.sourceRefs
        .map((reference) => {
          const [, page, word] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
          const on = layout.pages.find(({ number }) => number === Number(page));
          return on === undefined ? "?" : (pageWords(on)[Number(word)]?.text ?? "?");
        })
        .join(" ");

export const locateIn = (layout: Layout, data: Json, options: Partial<LocateOptions> = {}): Located =>
  locateValues(layout, data, { granularity: "word", ...options });

/** The words of one value on a page of some lines; null if it was not found. */
export function found(
  lines: string[],
  value: Json,
  options: Partial<LocateOptions> & { name?: string; text?: TextOptions } = {},
): string | null {
  const page = new PageMaker();
  for (const [index, line] of lines.entries()) page.text(1, 1 + index * 0.4, line, options.text);
  const layout = page.layout();
  const name = options.name ?? "value";
  return wordsAt(layout, locateIn(layout, { [name]: value }, options).sources.locations[`/${name}`]);
}

/** Every leaf of a result, empty objects and lists included. */
export const leavesOf = (value: unknown, pointer = ""): string[] => {
  if (value === null || typeof value !== "object" || Object.keys(value).length === 0) return [pointer];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, `${pointer}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`),
  );
};
