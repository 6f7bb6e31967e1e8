/** The files of a form that an operation made. */
import { NotFound } from "../../ports/errors.ts";
import { PDF } from "../../ports/media-types.ts";
import type { Organization } from "../organizations/organization.ts";
import { findServedRun, type StoredAnswer } from "../runs/run-results.ts";

const FILES = {
  form: { key: "formKey", contentType: PDF, fileName: "form.pdf" },
  definitions: { key: "definitionsKey", contentType: "application/json", fileName: "field-definitions.json" },
} as const;

export type FormFile = keyof typeof FILES;

/** @throws NotFound for an unknown job, one that made no form, or one that has not ended */
export async function findFormFile(
  org: Organization,
  guid: string,
  file: FormFile,
): Promise<{ blob: StoredAnswer; fileName: string }> {
  const { key: member, contentType, fileName } = FILES[file];
  const { [member]: key, error } = await findServedRun(org, guid, undefined);
  if (key !== undefined) return { blob: { key, contentType }, fileName };
  throw new NotFound(error ?? `Job ${guid} made no form; start the operation pdf-acroform on a PDF's job`);
}
