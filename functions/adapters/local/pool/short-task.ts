/** Tells short tasks from long ones, by their payload and their pages. */
import { countPages } from "../../../engine/layout/layout-file.ts";

/** The largest task that counts as short. */
export interface ShortTask {
  /** Bytes of all texts and byte arrays of its payload. */
  maxPayloadBytes: number;
  maxPages: number;
}

/** Bytes of the texts and byte arrays of a value; counting stops once they are over `most`. */
function payloadBytes(payload: unknown, most: number): number {
  let bytes = 0;
  const open: unknown[] = [payload];
  while (open.length > 0 && bytes <= most) {
    const value = open.pop();
    if (typeof value === "string") bytes += value.length;
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    // Numbers and the like count too, so that no structure is endless.
    else if (typeof value !== "object" || value === null) bytes += 8;
    else open.push(...Object.values(value));
  }
  return bytes;
}

/** Pages of the layout that a payload carries; undefined for a payload without one. */
function layoutPages(payload: unknown): number | undefined {
  const { layout } = (payload ?? {}) as { layout?: unknown };
  return layout instanceof Uint8Array ? countPages(layout) : undefined;
}

/** @param pages of the task, where its caller knows them; a task of unknown length is never short */
export function isShortTask({ maxPayloadBytes, maxPages }: ShortTask, payload: unknown, pages?: number): boolean {
  if (payloadBytes(payload, maxPayloadBytes) > maxPayloadBytes) return false;
  return (pages ?? layoutPages(payload) ?? Number.POSITIVE_INFINITY) <= maxPages;
}
