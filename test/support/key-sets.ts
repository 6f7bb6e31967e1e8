/** Which file of tests against a service takes which set of keys. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";

const FILES = ["e2e", "cloud"]
  .flatMap((folder) => readdirSync(resolve(import.meta.dirname, "..", folder)))
  .filter((file) => file.endsWith(".test.ts"))
  .sort();

/** How many there are to be. */
export const KEY_SETS = FILES.length;

/** @returns a position from 0, or -1 for a file that is none of them */
export const keySetOf = (file: string): number => FILES.indexOf(file);
