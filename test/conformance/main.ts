/** `npm run conformance`: checks the requirements and writes docs/conformance.md. `--check` writes nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/doc-pages.ts";
import { doubles, faultsOfContract, faultsOfRoutes, faultsOfTests } from "./faults.ts";
import { renderConformance } from "./render.ts";
import { readRequirements } from "./requirements.ts";

const page = join(ROOT, "docs/conformance.md");
const requirements = readRequirements();
const contract = faultsOfContract(requirements);
if (contract === undefined) {
  process.stdout.write(
    "SKIPPED: the contract is not beside this repository (../shared/contract, or SHEAF_CONTRACT_DIR)\n",
  );
}
const faults = [
  ...doubles(requirements).map((name) => `Twice: ${name}`),
  ...faultsOfTests(requirements),
  ...faultsOfRoutes(requirements),
  ...(contract ?? []).map((name) => `No requirement names the contract's ${name}`),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
const text = renderConformance(requirements);
if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) faults.push("docs/conformance.md is old: run npm run conformance");
const built = requirements.filter(({ notBuilt }) => notBuilt === undefined).length;
process.stdout.write(
  `${requirements.length} requirements, ${built} held by tests, ${requirements.length - built} not built; ${faults.length} faults\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
