/** The script that draws the API's reference page: Redoc (MIT), in one file that asks no other host. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** The script's name beside a bundle, and its file below node_modules. */
export const REFERENCE_SCRIPT = { name: "redoc.js", file: "redoc/bundles/redoc.standalone.js" };

/** The script in its package, or beside this code in a bundle without packages. */
function scriptPath(): string | URL {
  try {
    return createRequire(import.meta.url).resolve(REFERENCE_SCRIPT.file);
  } catch {
    return new URL(REFERENCE_SCRIPT.name, import.meta.url);
  }
}

let script: Promise<Uint8Array> | undefined;

/** Reads the script, 1.1 MB, once. @throws the file system's error */
export function readReferenceScript(): Promise<Uint8Array> {
  script ??= readFile(scriptPath());
  return script;
}
