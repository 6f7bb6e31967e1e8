/** Sets of documents for a first sight: where each file comes from, and its truth, written down before the first run. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Item, Values } from "../offline/invoices.ts";

export interface SetFile {
  name: string;
  /** Language by ISO 639-1, country by ISO 3166-1. */
  language: string;
  country: string;
  kind: "text layer" | "scan" | "photo" | "picture";
  /** Owner and name of a public repository. */
  repository: string;
  commit: string;
  path: string;
  /** By SPDX, or `unclear`: the file is never kept here. */
  licence: string;
  sha256: string;
}

/** Null states that nothing is printed; an absent member is not judged. */
export type Truth = Values & { lines?: Item[] };

export interface FirstSightSet {
  name: string;
  about: string;
  files: SetFile[];
  /** By the name of the file. */
  truths: Record<string, Truth>;
}

export const SETS_FOLDER = path.join(import.meta.dirname, "sets");
const TRUTH_ENDING = ".truth.json";

/** Names of all sets, sorted. */
export async function setNames(folder = SETS_FOLDER): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(TRUTH_ENDING))
    .map((file) => file.slice(0, -TRUTH_ENDING.length))
    .sort();
}

/** Reads a set. @throws Error when its manifest or its truth is not there */
export async function loadSet(name: string, folder = SETS_FOLDER): Promise<FirstSightSet> {
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(path.join(folder, file), "utf8"));
  const { about, files } = (await read(`${name}.json`)) as { about: string; files: SetFile[] };
  return { name, about, files, truths: (await read(name + TRUTH_ENDING)) as Record<string, Truth> };
}

/** Forms of the members that name a file for good. */
const MEMBER_FORMS: Partial<Record<keyof SetFile, RegExp>> = {
  name: /^[a-z0-9-]+$/,
  language: /^[a-z]{2}$/,
  country: /^[A-Z]{2}$/,
  kind: /^(?:text layer|scan|photo|picture)$/,
  repository: /^[\w.-]+\/[\w.-]+$/,
  commit: /^[0-9a-f]{40}$/,
  path: /\.(?:pdf|png|jpe?g|tiff?)$/i,
  licence: /\S/,
  sha256: /^[0-9a-f]{64}$/,
};

/** Says what is wrong with a set: members without their form, files twice, files without truth, truth without a file. */
export function faultsOf({ files, truths }: Pick<FirstSightSet, "files" | "truths">): string[] {
  const names = files.map(({ name }) => name);
  const hashes = files.map(({ sha256 }) => sha256);
  return [
    ...files.flatMap((file) =>
      (Object.entries(MEMBER_FORMS) as [keyof SetFile, RegExp][]).flatMap(([member, form]) =>
        form.test(file[member] ?? "") ? [] : [`${file.name}: ${member} is ${JSON.stringify(file[member])}`],
      ),
    ),
    ...files.flatMap(({ name }, at) => (names.indexOf(name) < at ? [`${name}: two files have this name`] : [])),
    ...files.flatMap(({ name, sha256 }, at) => (hashes.indexOf(sha256) < at ? [`${name}: a file is there twice`] : [])),
    ...names.filter((name) => !Object.hasOwn(truths, name)).map((name) => `${name}: has no truth`),
    ...Object.keys(truths).flatMap((name) => (names.includes(name) ? [] : [`${name}: is a truth without a file`])),
  ];
}
