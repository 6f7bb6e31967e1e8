/** What the tasks' code shares: answers as bytes. */
import { encodeJson } from "../../ports/json.ts";
import { writeLayout } from "../layout/layout-file.ts";
import type { ReadDocument } from "../readers/finish-reading.ts";
import type { Reading } from "./shapes.ts";

const encoder = new TextEncoder();

export const toBytes = (text: string): Uint8Array => encoder.encode(text);

/** Takes the layout apart while it writes it. */
export const writeReading = ({ layout, quality, facts, pending, spare }: ReadDocument): Reading => ({
  quality: encodeJson(quality),
  facts,
  pending,
  ...(spare === undefined ? {} : { spare }),
  layout: writeLayout(layout),
});
