/** Encoding of the tasks' answers as bytes. */
import { encodeJson } from "../../ports/json.ts";
import { writeLayout } from "../layout/layout-file.ts";
import type { ReadDocument } from "../readers/finish-reading.ts";
import type { Reading } from "./reading-shapes.ts";

const encoder = new TextEncoder();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** Encodes a reading; empties its layout while writing it. */
export const encodeReading = ({ layout, quality, facts, pending, spare }: ReadDocument): Reading => ({
  quality: encodeJson(quality),
  facts,
  pending,
  ...(spare === undefined ? {} : { spare }),
  layout: writeLayout(layout),
});
