/** Sets of documents for a first sight: where each file comes from, and its truth, written down before the first run. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Item, Values } from "../offline/invoices.ts";
import type { FormValues, MakingRecipe } from "./make-form.ts";
import {
  aboutBlank,
  type DocumentQuestions,
  faultsOfQuestions,
  isQuestionsTruth,
  type QuestionsTruth,
} from "./questions.ts";

/** Pages without text need recognition. */
const PICTURE_KINDS = ["scan", "photo", "picture", "scanned form", "scanned blank form"] as const;
const TEXT_KINDS = ["text layer", "filled form", "flattened form", "blank form", "prose"] as const;
export type FileKind = (typeof PICTURE_KINDS)[number] | (typeof TEXT_KINDS)[number];

export const needsRecognition = (kind: FileKind): boolean => PICTURE_KINDS.some((one) => one === kind);

export interface SetFile {
  name: string;
  /** Language by ISO 639-1, country by ISO 3166-1. */
  language: string;
  country: string;
  kind: FileKind;
  /** Owner and name of a public repository. */
  repository: string;
  commit: string;
  path: string;
  /** By SPDX, or `unclear`: the file is never kept here. */
  licence: string;
  /** The file's hash, or the hash of the form made from it. */
  sha256: string;
  /** The document in the truth whose values it has; its own name without. */
  document?: string;
  /** A form that was filled or scanned by us, from the file with this hash. */
  made?: MakingRecipe & { sourceSha256: string };
}

/** Null states that nothing is printed; an absent member is not judged. */
export type Truth = Values & { lines?: Item[] };

export interface FirstSightSet {
  name: string;
  about: string;
  /** A few words for the register. */
  subject: string;
  /** True for a set that is not to be run before the work on its subject is done, except by its name. */
  heldBack: boolean;
  files: SetFile[];
  /** Values of the forms that we filled. */
  fills: Record<string, FormValues>;
  /** By the name of the file; the same ten values of an invoice for all files. */
  truths: Record<string, Truth>;
  /** By the name of the document; undefined for a set of invoices. */
  questions?: Record<string, DocumentQuestions>;
}

/** The document in the truth that a file shows. */
export const documentOf = ({ name, document }: Pick<SetFile, "name" | "document">): string => document ?? name;

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

interface Manifest {
  about: string;
  subject?: string;
  heldBack?: boolean;
  files: SetFile[];
  fills?: Record<string, FormValues>;
}

const readJson = async (folder: string, file: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(folder, file), "utf8"));

async function loadQuestions(
  truth: QuestionsTruth,
  files: readonly SetFile[],
  folder: string,
): Promise<Record<string, DocumentQuestions>> {
  if ("questions" in truth) return truth.questions;
  const { questions = {} } = await loadSet(truth.questionsOf, folder);
  const shown = new Set(files.map(documentOf));
  const about = Object.entries(questions).filter(([name]) => shown.has(name));
  return Object.fromEntries(about.map(([name, one]) => [name, aboutBlank(one)]));
}

/** Reads a set. @throws Error when its manifest or its truth is not there */
export async function loadSet(name: string, folder = SETS_FOLDER): Promise<FirstSightSet> {
  const {
    about,
    subject = "invoices and receipts",
    heldBack = false,
    files,
    fills = {},
  } = (await readJson(folder, `${name}.json`)) as Manifest;
  const truth = (await readJson(folder, name + TRUTH_ENDING)) as QuestionsTruth | Record<string, Truth>;
  const common = { name, about, subject, heldBack, files, fills };
  return isQuestionsTruth(truth)
    ? { ...common, truths: {}, questions: await loadQuestions(truth, files, folder) }
    : { ...common, truths: truth };
}

/** Forms of the members that name a file for good. */
const MEMBER_FORMS: Partial<Record<keyof SetFile, RegExp>> = {
  name: /^[a-z0-9-]+$/,
  language: /^[a-z]{2}$/,
  country: /^[A-Z]{2}$/,
  kind: new RegExp(`^(?:${[...PICTURE_KINDS, ...TEXT_KINDS].join("|")})$`),
  repository: /^[\w.-]+\/[\w.-]+$/,
  commit: /^[0-9a-f]{40}$/,
  path: /\.(?:pdf|png|jpe?g|tiff?)$/i,
  licence: /\S/,
  sha256: /^[0-9a-f]{64}$/,
};

const faultsOfFiles = (files: readonly SetFile[]): string[] =>
  files.flatMap((file) =>
    (Object.entries(MEMBER_FORMS) as [keyof SetFile, RegExp][]).flatMap(([member, form]) =>
      form.test(String(file[member] ?? "")) ? [] : [`${file.name}: ${member} is ${JSON.stringify(file[member])}`],
    ),
  );

type Checked = Pick<FirstSightSet, "files" | "truths"> & Partial<Pick<FirstSightSet, "questions" | "fills">>;

/** Says what is wrong with a set: members without their form, files twice, files without truth, truth without a file. */
export function faultsOf({ files, truths, questions, fills = {} }: Checked): string[] {
  const names = files.map(({ name }) => name);
  const hashes = files.map(({ sha256 }) => sha256);
  const documents = files.map(documentOf);
  const known = Object.keys(questions ?? truths);
  return [
    ...faultsOfFiles(files),
    ...files.flatMap(({ name }, at) => (names.indexOf(name) < at ? [`${name}: two files have this name`] : [])),
    ...files.flatMap(({ name, sha256 }, at) => (hashes.indexOf(sha256) < at ? [`${name}: a file is there twice`] : [])),
    ...files.flatMap((file) => (known.includes(documentOf(file)) ? [] : [`${file.name}: has no truth`])),
    ...files.flatMap(({ name, made }) =>
      made?.fill === undefined || Object.hasOwn(fills, made.fill) ? [] : [`${name}: has no values to fill in`],
    ),
    ...known.flatMap((name) => (documents.includes(name) ? [] : [`${name}: is a truth without a file`])),
    ...Object.entries(questions ?? {}).flatMap(([name, one]) => faultsOfQuestions(name, one)),
  ];
}
