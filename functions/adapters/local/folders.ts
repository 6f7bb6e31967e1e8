/** Folders of this machine. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Readable by its owner only. */
const FOLDER_MODE = 0o700;

/**
 * Makes a folder and the missing ones above it, one by one: Node's own recursive call never returns where a system
 * refuses a name with ENOENT, as /proc does.
 * @throws the error of the operating system
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  let at = resolve(path);
  for (; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  if (missing.length === 0 && !statSync(at).isDirectory()) mkdirSync(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: FOLDER_MODE });
    } catch (error) {
      // Another process was faster.
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
