/** Batches of a document that is longer than the model's context: each request gets as many pages as fit. */

import { estimateTokens } from "../../../ports/llm-tokens.ts";
import type { Batch } from "./field-batches.ts";
import type { PageContent } from "./model-content.ts";

/** Tokens of pages, by number. */
type PageTokens = ReadonlyMap<number, number>;

/** Windows of consecutive pages that fit; a page that is longer than the room has a window of its own. */
function windowsOf(numbers: readonly number[], tokens: PageTokens, room: number): number[][] {
  const windows: number[][] = [];
  let left = 0;
  for (const number of numbers) {
    const own = tokens.get(number) ?? 0;
    if (windows.length === 0 || own > left) {
      windows.push([]);
      left = room;
    }
    windows.at(-1)?.push(number);
    left -= own;
  }
  return windows;
}

/** The page before a window, where a row or a table's heading may begin, if it fits too. */
function withPageBefore(window: readonly number[], all: readonly number[], tokens: PageTokens, room: number): number[] {
  const before = all[all.indexOf(window[0] ?? 0) - 1];
  const used = window.reduce((sum, number) => sum + (tokens.get(number) ?? 0), 0);
  return before === undefined || used + (tokens.get(before) ?? 0) > room ? [...window] : [before, ...window];
}

/**
 * Splits batches by pages, so that the pages of each request fit the model.
 * @param room tokens for the pages of one request
 * @returns the batches, and the first page that alone is longer than the room
 */
export function splitByPages(
  batches: readonly Batch[],
  pages: readonly PageContent[],
  room: number,
): { batches: Batch[]; tooLong?: number } {
  const tokens = new Map(pages.map(({ number, text }) => [number, estimateTokens(text)] as const));
  const all = pages.map(({ number }) => number);
  const tooLong = all.find((number) => (tokens.get(number) ?? 0) > room);
  const split = batches.flatMap((batch): Batch[] => {
    const isRows = batch.kind === "rows";
    const windows = windowsOf(isRows ? batch.own : batch.pages, tokens, room);
    return windows.map((own, at) => ({
      ...batch,
      id: windows.length === 1 ? batch.id : `${batch.id}.${at + 1}`,
      pages: isRows ? withPageBefore(own, all, tokens, room) : own,
      own,
      ...(isRows ? {} : { partial: true as const }),
    }));
  });
  return { batches: split, ...(tooLong === undefined ? {} : { tooLong }) };
}
