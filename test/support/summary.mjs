/**
 * Adds up the runner's JSON reports: `N passed, N failed, N skipped` as the last line; fails when one is missing.
 * Repeats the failures before it, since often only the end of a long output is kept.
 */
import { readFileSync } from "node:fs";

/** Lines of a failure's message. */
const MESSAGE_LINES = 12;
const MESSAGE_CHARACTERS = 1500;

let [passed, failed, skipped] = [0, 0, 0];
let missing = false;
const failures = [];

function excerpt(message) {
  return (message ?? "").slice(0, MESSAGE_CHARACTERS).split("\n").slice(0, MESSAGE_LINES).join("\n    ");
}

function failuresOf(report) {
  return report.testResults.flatMap((file) => {
    const name = file.name.replace(`${process.cwd()}/`, "");
    const tests = file.assertionResults
      .filter(({ status }) => status === "failed")
      .map((test) => `${name} > ${test.fullName}\n    ${excerpt(test.failureMessages?.join("\n"))}`);
    // A file that fails to load, or whose hooks fail, has no failed test.
    if (tests.length === 0 && file.status === "failed") return [`${name}\n    ${excerpt(file.message)}`];
    return tests;
  });
}

for (const file of process.argv.slice(2)) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    skipped += report.numPendingTests + report.numTodoTests;
    failures.push(...failuresOf(report));
  } catch {
    console.log(`No report ${file}: that suite did not finish`);
    failed += 1;
    missing = true;
  }
}
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failures.length > 0 || failed > 0 || passed === 0 || missing ? 1 : 0);
