/** Word, Excel and PowerPoint files as layouts. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import type { Layout } from "../../../ports/layout.ts";
import { isEncryptedOffice } from "../sniff-media-type.ts";
import { readWord } from "./docx/read-docx.ts";
import { openPackage } from "./office-package.ts";
import { readPowerPoint } from "./pptx/read-pptx.ts";
import { readExcel } from "./xlsx/read-xlsx.ts";

/**
 * Reads the text of an office document in order; see the reader of each kind.
 * @param provider the kind of document
 * @param pageRange logical page or slide numbers, from 1; absent: all
 * @throws JobFailure: corrupted; password protected; more of something than can be processed
 */
export function readOfficeDocument(
  bytes: Uint8Array,
  provider: "docx" | "xlsx" | "pptx",
  pageRange?: readonly number[],
): Layout {
  if (isEncryptedOffice(bytes)) throw new JobFailure(JOB_SENTENCES.password);
  const office = openPackage(bytes);
  if (provider === "docx") return readWord(office, pageRange).layout;
  return provider === "xlsx" ? readExcel(office, pageRange) : readPowerPoint(office, pageRange);
}
