/** The password of a document: best kept in a file, for the command lines of all processes are read by every user of a machine. */
import { type Command, Option } from "commander";
import { readText } from "./document.ts";
import type { Io } from "./io.ts";

const PASSWORD_VARIABLE = "SHEAF_DOCUMENT_PASSWORD";

export interface PasswordArguments {
  password?: string;
  passwordFile?: string;
}

/** The password as given, or of the file, without the end of its line, else the one in the environment. @throws UsageError */
export async function passwordOf(io: Io, { password, passwordFile }: PasswordArguments): Promise<string | undefined> {
  const file = password === "-" ? "-" : passwordFile;
  if (file !== undefined) return (await readText(io, file)).replace(/\r?\n$/, "");
  return password ?? (io.env[PASSWORD_VARIABLE] || undefined);
}

/** Adds the options to a command that sends documents. */
export const addPasswordOptions = (command: Command): Command =>
  command
    .option(
      "--password <text>",
      "opens the PDF; - reads it from standard input. Other users of this machine may see it",
    )
    .addOption(
      new Option("--password-file <path>", `a file with the password (or ${PASSWORD_VARIABLE})`).conflicts("password"),
    );
