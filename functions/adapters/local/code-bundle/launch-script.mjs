/**
 * Main module of a bundled script: `x.mjs` runs `x.cjs` beside it from `x.compiled`, V8's compiled code of what a start
 * runs. Without that, V8 translates 8 MB of source, and each function at its first call, in every process. V8 refuses
 * compiled code of another version or with other flags; that it is of this very script, the bundle's folder vouches,
 * which gets its name when both are in it.
 *
 * Copied into bundles, hence plain JavaScript without imports of this project. The script's export `serving` resolves
 * when it is ready. With a fourth argument `compile`, its compiled code is written then, and the process ends.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

const path = import.meta.filename.replace(/mjs$/, "cjs");
const compiledPath = import.meta.filename.replace(/mjs$/, "compiled");

function readCompiled() {
  try {
    return readFileSync(compiledPath);
  } catch {
    return undefined; // it could not be made: the script runs all the same
  }
}

const script = new Script(readFileSync(path, "utf8"), {
  filename: pathToFileURL(path).href,
  cachedData: readCompiled(),
});
const module = { exports: {} };
script.runInThisContext()(createRequire(path), module, module.exports);
await module.exports.serving;
if (process.argv[5] === "compile") {
  writeFileSync(compiledPath, script.createCachedData());
  process.exit(0);
}
