/** Places of this code: as TypeScript in the repository, or as JavaScript in an installed package. */
import { basename, dirname, resolve } from "node:path";

/** Folder of `bin`, `functions` and the others: the repository, or `dist` of the package. */
export const CODE_FOLDER = resolve(import.meta.dirname, "../../..");

/** `ts` in the repository, `js` in the package, where Node.js runs no TypeScript. */
export const CODE_EXTENSION = import.meta.filename.endsWith(".ts") ? "ts" : "js";

const INSTALLED = CODE_EXTENSION === "js";

/** Folder with the `package.json` of what is installed, and with packages that are its own. */
export const PACKAGE_FOLDER = INSTALLED ? dirname(CODE_FOLDER) : CODE_FOLDER;

/** The folders that a package's own packages are in, when it is installed there: all `node_modules` on the way up. */
export function packageFoldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  if (parent === folder) return [];
  return [...(basename(parent) === "node_modules" ? [parent] : []), ...packageFoldersAbove(parent)];
}

/** Folders with the packages that this code loads. */
export const PACKAGE_FOLDERS: readonly string[] = [
  resolve(PACKAGE_FOLDER, "node_modules"),
  ...(INSTALLED ? packageFoldersAbove(PACKAGE_FOLDER) : []),
];
