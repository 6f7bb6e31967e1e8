/** Which file of end-to-end tests takes which set of keys. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";

const FILES = readdirSync(resolve(import.meta.dirname, "../e2e"))
  .filter((file) => file.endsWith(".test.ts"))
  .sort();

/** How many there are to be. */
export const KEY_SETS = FILES.length;

/** @returns a position from 0, or -1 for a file that is none of them */
export const keySetOf = (file: string): number => FILES.indexOf(file);
