import { JOB_SENTENCES, JobFailure, UnprocessableEntity } from "../../ports/errors.ts";
import { encodeJson } from "../../ports/json.ts";
import { acroFormMetadata } from "../forms/acroform/acroform-metadata.ts";
import { unlockPdf } from "../readers/pdf/unlock-pdf.ts";
import { acroFormTask } from "./acroform.ts";
import { implementTask } from "./define-task.ts";

/** The refusal of a request for the failure of a job. */
function refusalOf({ message }: JobFailure): string {
  if (message === JOB_SENTENCES.password) {
    return "The PDF is protected with a password; send it as the part 'password', or the PDF without one";
  }
  return message.replace(/^Processing failed: /, "");
}

export const run = implementTask(acroFormTask, async ({ bytes, password }) => {
  try {
    return encodeJson(await acroFormMetadata(password === undefined ? bytes : await unlockPdf(bytes, password)));
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    throw new UnprocessableEntity(refusalOf(error), { cause: error });
  }
});
