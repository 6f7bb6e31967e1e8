/** The documents of a batch: files, folders and patterns. */
import { join } from "node:path";
import { isDocumentName } from "./document.ts";
import { type Io, UsageError } from "./io.ts";

/** Signs of a pattern. */
const PATTERN = /[*?[\]{}]/;

/**
 * The files that the arguments name, in their order. A folder stands for its documents, without those of folders below;
 * a pattern stands for the files that match it.
 * @throws UsageError for a folder without documents, and a pattern that nothing matches
 */
export async function expandFiles(io: Io, given: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const one of given) files.push(...(await filesOf(io, one)));
  return files;
}

async function filesOf(io: Io, given: string): Promise<string[]> {
  if (given === "-") return [given];
  let names: string[] | undefined;
  try {
    names = await io.list(given);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // A file that is missing is named later, with all others that are.
    if (!PATTERN.test(given)) return [given];
    const found = await io.glob(given);
    if (found.length === 0) throw new UsageError(`No file matches ${given}`);
    return found;
  }
  if (names === undefined) return [given];
  const documents = names.filter((name) => !name.startsWith(".") && isDocumentName(name));
  if (documents.length === 0) throw new UsageError(`${given} has no documents of a type that the service reads`);
  if (documents.length < names.length) {
    io.stderr.write(
      `${given}: ${documents.length} documents; ${names.length - documents.length} other files are left out\n`,
    );
  }
  return documents.map((name) => join(given, name));
}
