/** Announcement of a document before its upload. */
import * as z from "zod";
import { integer } from "./common.ts";

/** Printable ASCII, as a header carries it (RFC 9110, 8.3.1): type, subtype, parameters. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[ -~]*[!-~])?$/;
const mediaTypeFault = "must be a media type such as application/pdf";

export const NewUpload = z.looseObject({
  fileName: z
    .string({ error: "must be a string" })
    .max(255, { error: "must be at most 255 characters" })
    .optional()
    .describe("Of a document without a name, none"),
  mimeType: z
    .string({ error: mediaTypeFault })
    .max(255, { error: "must be at most 255 characters" })
    .regex(MEDIA_TYPE, { error: mediaTypeFault })
    .describe("application/octet-stream declares nothing"),
  // No maximum here: a size over the limit is a 413.
  size: integer("must be a number of bytes, at least 1", 1).describe("Bytes; at most 10,000,000"),
  caseId: integer("must be a case's id, or its digits", 1).optional().describe("A case that gets the document"),
});
