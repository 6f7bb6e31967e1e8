/**
 * Imported before a process: hides the files of tesseract's core from it and its threads, like a bundle without them.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const isCore = (file) => /tesseract-core[^/\\]*\.wasm$/.test(String(file));

function missing(file) {
  return Object.assign(new Error(`ENOENT: no such file or directory, open '${file}'`), { code: "ENOENT" });
}

const { readFile, readFileSync } = fs;
fs.readFileSync = (file, ...rest) => {
  if (isCore(file)) throw missing(file);
  return readFileSync(file, ...rest);
};
fs.readFile = (file, ...rest) => {
  if (isCore(file)) rest.at(-1)(missing(file));
  else readFile(file, ...rest);
};
const { readFile: promised } = fs.promises;
fs.promises.readFile = (file, ...rest) => (isCore(file) ? Promise.reject(missing(file)) : promised(file, ...rest));
syncBuiltinESMExports();
