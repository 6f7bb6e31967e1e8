/** The command of the run that reads a document of a case, and makes its summary. */
import type { RunCommand } from "../runs/run-command.ts";

/** @param mimeType type to read the content as @param password opens an encrypted document */
export const readingCommand = (mimeType: string, password?: RunCommand["password"]): RunCommand => ({
  v: 1,
  mode: "SUMMARY",
  ocr: "DEFAULT",
  mimeType,
  sourceLocations: false,
  granularity: "auto",
  format: "plain",
  ...(password === undefined ? {} : { password, hasPassword: true }),
});
