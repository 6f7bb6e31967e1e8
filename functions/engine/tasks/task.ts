import type { DocumentEngine, Reading } from "../../ports/engine.ts";
import { writeLayout } from "../layout/layout-file.ts";
import type { ReadDocument } from "../readers/read-document.ts";

export type Answer<
  Method extends Exclude<keyof DocumentEngine, "close" | "model" | "mapReduce" | "rows" | "operations" | "nodes">,
> = ReturnType<DocumentEngine[Method]>;

const encoder = new TextEncoder();

export const toBytes = (text: string): Uint8Array => encoder.encode(text);
export const toJson = (value: unknown): Uint8Array => toBytes(JSON.stringify(value));

/** Takes the layout apart while it writes it. */
export const writeReading = ({ layout, quality, facts, pending, spare }: ReadDocument): Reading => ({
  quality: toJson(quality),
  facts,
  pending,
  ...(spare === undefined ? {} : { spare }),
  layout: writeLayout(layout),
});
