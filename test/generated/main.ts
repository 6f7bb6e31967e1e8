/** `npm run generate`: writes the lists that are made from folders and imports. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/import-graph.ts";
import { faultsOfGenerated, generatedFiles } from "./generated-files.ts";

const files = generatedFiles();
const faults = faultsOfGenerated(files);
for (const [file, text] of files) writeFileSync(join(ROOT, file), text);
process.stdout.write(`${files.size} files, ${faults.length} changed\n`);
