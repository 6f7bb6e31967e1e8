/** Assigns a set of keys to each test file against a service. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";

const FILES = ["e2e", "cloud"]
  .flatMap((folder) => readdirSync(resolve(import.meta.dirname, "..", folder)))
  .filter((file) => file.endsWith(".test.ts"))
  .sort();

/** The number of key sets. */
export const KEY_SETS = FILES.length;

/** @returns a position from 0, or -1 for any other file */
export const keySetOf = (file: string): number => FILES.indexOf(file);
