/** `npm run generate`: writes the lists that are made from folders and imports. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../support/import-graph.ts";
import { faultsOfGenerated, generatedFiles, staleFiles } from "./generated-files.ts";

const files = generatedFiles();
const faults = faultsOfGenerated(files);
for (const file of staleFiles(files)) rmSync(join(ROOT, file));
for (const [file, text] of files) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), text);
}
process.stdout.write(`${files.size} files, ${faults.length} changed\n`);
