/*
 * A Lambda function's process, bare: node bare-lambda.mjs <bundle>. Imports the bundle, says how long that took, and
 * then answers a line of JSON on standard input with a line on standard output, as often as it is asked.
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const say = (members) => process.stderr.write(`${JSON.stringify(members)}\n`);
const started = performance.now();
const { handler } = await import(pathToFileURL(process.argv[2]).href);
say({ milliseconds: performance.now() - started });

for await (const line of createInterface({ input: process.stdin })) {
  try {
    say({ answer: (await handler(JSON.parse(line))) ?? null });
  } catch (error) {
    say({ errorType: error.name, errorMessage: error.message, stack: error.stack });
  }
}
