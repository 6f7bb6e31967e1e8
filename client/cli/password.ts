/** The password of a document. It is no option: the command lines of all processes are read by every user of a machine. */
import { Option } from "commander";
import { readText } from "./document.ts";
import type { Io } from "./io.ts";

const PASSWORD_VARIABLE = "SHEAF_DOCUMENT_PASSWORD";

export interface PasswordArguments {
  passwordFile?: string;
}

/** The password in the file, without the end of its line, else the one in the environment. @throws UsageError */
export async function passwordOf(io: Io, { passwordFile }: PasswordArguments): Promise<string | undefined> {
  if (passwordFile === undefined) return io.env[PASSWORD_VARIABLE] || undefined;
  return (await readText(io, passwordFile)).replace(/\r?\n$/, "");
}

/** Adds the option to a command that sends documents. */
export const passwordOption = (): Option =>
  new Option("--password-file <path>", `a file with the password that opens the PDF (or ${PASSWORD_VARIABLE})`);
