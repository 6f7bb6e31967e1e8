import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, json } from "./shapes.ts";

/**
 * Reads the body of a request to apply definitions of fields: JSON of many megabytes, which only a process of the pool
 * parses. Throws BadRequest for a body that is no such request, naming each fault.
 */
export const formRequestTask = defineTask({
  name: "formRequest",
  input: z.object({
    body: bytes,
    /** Pages of the document. */
    pageCount: z.number(),
  }),
  output: z.object({
    /** The definitions with their defaults, UTF-8 JSON of a list. */
    definitions: bytes,
    /** The request's other members, with their defaults. */
    parameters: json,
  }),
});
