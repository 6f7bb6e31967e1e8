/** Adds up the runner's JSON reports: `N passed, N failed, N skipped` as the last line; fails when one is missing. */
import { readFileSync } from "node:fs";

let [passed, failed, skipped] = [0, 0, 0];
let missing = false;
for (const file of process.argv.slice(2)) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    skipped += report.numPendingTests + report.numTodoTests;
  } catch {
    console.log(`No report ${file}: that suite did not finish`);
    failed += 1;
    missing = true;
  }
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 || missing ? 1 : 0);
