/*
 * A Lambda function's process, bare: node bare-lambda.mjs <bundle>. Imports the bundle, says what that took, and
 * then answers a line of JSON on standard input with a line on standard output, as often as it is asked. With each answer
 * goes how large the WebAssembly was that was loaded until then.
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const wasm = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (code, ...rest) => {
  if (code.byteLength !== undefined) wasm.push(code.byteLength);
  return instantiate.call(WebAssembly, code, ...rest);
};

const say = (members) => process.stderr.write(`${JSON.stringify(members)}\n`);
const millisecondsOf = ({ user, system }) => (user + system) / 1000;
const bare = process.cpuUsage();
const { handler } = await import(pathToFileURL(process.argv[2]).href);
say({ bare: millisecondsOf(bare), init: millisecondsOf(process.cpuUsage(bare)) });

for await (const line of createInterface({ input: process.stdin })) {
  try {
    say({ answer: (await handler(JSON.parse(line))) ?? null, wasm });
  } catch (error) {
    say({ errorType: error.name, errorMessage: error.message, stack: error.stack });
  }
}
