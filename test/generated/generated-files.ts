/** All files that `npm run generate` writes. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openApiFile } from "../openapi/openapi-file.ts";
import { ROOT, sourceOf } from "../support/import-graph.ts";
import { carriedTasks, staleTaskLists } from "./carried-tasks.ts";
import { clientEntry } from "./client-entry.ts";
import { commandHelp } from "./command-help.ts";
import { languageFiles } from "./language-files.ts";
import { searchWords } from "./search-words.ts";

/** Path from the root → text. */
export const generatedFiles = (): Map<string, string> =>
  new Map([
    ...languageFiles(),
    ...searchWords(),
    ...carriedTasks(),
    ...openApiFile(),
    ...clientEntry(),
    ...commandHelp(),
  ]);

/** Files that were generated before, and are no longer. */
export const staleFiles = (files: ReadonlyMap<string, string>): string[] => staleTaskLists(files);

/** A sentence for each file that is not as it would be written. */
export function faultsOfGenerated(files: ReadonlyMap<string, string>): string[] {
  const old = [...files].filter(([file, text]) => !existsSync(join(ROOT, file)) || sourceOf(file) !== text);
  return [...old.map(([file]) => file), ...staleFiles(files)].map(
    (file) => `${file} is not what the project's files give: run npm run generate`,
  );
}
