import { BadRequest } from "../../ports/errors.ts";
import { encodeJson, isObject, type Json } from "../../ports/json.ts";
import { readDefinitions } from "../forms/read-definitions.ts";
import { parameterReaderOf } from "../nodes/parameter-specs.ts";
import { implementTask } from "./define-task.ts";
import { formRequestTask } from "./form-request.ts";

const NO_DEFINITIONS = 'The request has no "fieldDefinitions"; send {"fieldDefinitions": [{"pageNumber": 1, …}]}';

/** @throws BadRequest */
function parse(body: Uint8Array): Json {
  try {
    // Fatal: bytes that are no text would become replacement signs in the form.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Json;
  } catch (cause) {
    throw new BadRequest("The request body is no JSON; send an object in UTF-8", { cause });
  }
}

export const run = implementTask(formRequestTask, ({ body, pageCount }) => {
  const request = parse(body);
  if (!isObject(request)) throw new BadRequest(NO_DEFINITIONS);
  const { fieldDefinitions, ...parameters } = parameterReaderOf("pdf-acroform-apply")(request, "");
  if (fieldDefinitions === null || fieldDefinitions === undefined) throw new BadRequest(NO_DEFINITIONS);
  return { definitions: encodeJson(readDefinitions(fieldDefinitions, pageCount)), parameters };
});
