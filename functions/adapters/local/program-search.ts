/** Looks for programs of this machine. */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** True for a file that this process may start. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Finds a program in absolute folders; undefined when it is in none.
 * @param searchPath folders in the form of PATH
 */
export function findProgram(name: string, searchPath: string): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, file)).find(isProgram);
}
