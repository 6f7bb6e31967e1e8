/** What the tasks' code shares: answers as bytes. */
import { writeLayout } from "../layout/layout-file.ts";
import type { ReadDocument } from "../readers/finish-reading.ts";
import type { Reading } from "./shapes.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const toBytes = (text: string): Uint8Array => encoder.encode(text);
export const toJson = (value: unknown): Uint8Array => toBytes(JSON.stringify(value));
export const fromJson = <T>(bytes: Uint8Array): T => JSON.parse(decoder.decode(bytes)) as T;

/** Takes the layout apart while it writes it. */
export const writeReading = ({ layout, quality, facts, pending, spare }: ReadDocument): Reading => ({
  quality: toJson(quality),
  facts,
  pending,
  ...(spare === undefined ? {} : { spare }),
  layout: writeLayout(layout),
});
