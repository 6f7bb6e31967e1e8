/** A golden set: documents in a folder, with their expected data. */
import { extname, join } from "node:path";
import { type PatternRule, parseRules, RuleFault } from "../eval/rules.ts";
import type { UploadCommand } from "../index.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { readText } from "./document.ts";
import { type Io, UsageError } from "./io.ts";

export interface GoldenDocument {
  /** The document's file name without its extension. */
  name: string;
  /** Its path. */
  file: string;
  expected: Json;
  group: string | null;
  schema: JsonObject | undefined;
}

export interface GoldenSet {
  name: string;
  documents: GoldenDocument[];
  rules: PatternRule[];
  /** The command for all documents, without the schema. */
  command: UploadCommand;
}

/** The layout of a set, for `sheaf eval --help`. */
export const SET_LAYOUT_HELP = `
The set is a folder:
  NAME.pdf              a document, of any type that the service reads
  NAME.expected.json    what it states: values that are absent are not judged, null says that there is none, and a list
                        says all its entries
  NAME.schema.json      its own JSON Schema, if it has one
  schema.json           the schema of all others
  set.json              if need be {"name", "prompt", "command", "groups", "rules"}:
    command  members of the processing command, such as {"ocr": "PREMIUM"}
    groups   what documents are counted by besides all: {"NAME": "de"}
    rules    by pointer, * being any index or member: {"/note": "ignore", "/number": "exact",
             "/total": {"compare": "number", "tolerance": 0.005}, "/due": {"compare": "date", "order": "dmy"},
             "/address": {"compare": "fuzzy", "least": 0.8}, "/lines": {"align": "key", "key": "sku"}}
             values: exact, normalised, number (tolerance, relative), date (order), fuzzy (least), ignore;
             lists: align by key, best (likeness) or order
Without a rule numbers are compared as numbers, texts normalised, and entries of lists go with the most alike.`;

const EXPECTED_SUFFIX = ".expected.json";
const SCHEMA_SUFFIX = ".schema.json";

/** @throws UsageError when the file cannot be read or is not JSON */
export async function readJson(io: Io, file: string): Promise<Json> {
  const text = await readText(io, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function readObject(io: Io, file: string): Promise<JsonObject> {
  const value = await readJson(io, file);
  if (!isObject(value)) throw new UsageError(`${file} must hold a JSON object`);
  return value;
}

const SETTING_NAMES = ["name", "prompt", "command", "groups", "rules"];

interface Settings {
  name: string | undefined;
  groups: JsonObject;
  rules: PatternRule[];
  command: UploadCommand;
}

/** The contents of `set.json`. @throws UsageError */
async function readSettings(io: Io, file: string | undefined): Promise<Settings> {
  const {
    name,
    prompt,
    command = {},
    groups = {},
    rules = {},
    ...others
  } = file === undefined ? {} : await readObject(io, file);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new UsageError(`${file} has ${unknown}; a set has ${SETTING_NAMES.join(", ")}`);
  for (const [what, value] of Object.entries({ name, prompt })) {
    if (value !== undefined && typeof value !== "string") throw new UsageError(`${what} in ${file} must be a text`);
  }
  if (!isObject(command)) throw new UsageError(`command in ${file} must be an object`);
  if (!isObject(groups) || Object.values(groups).some((group) => typeof group !== "string")) {
    throw new UsageError(`groups in ${file} must name a group for each document`);
  }
  try {
    return {
      name: typeof name === "string" ? name : undefined,
      groups,
      rules: parseRules(rules),
      command: { ...command, ...(typeof prompt === "string" ? { prompt } : {}), sourceLocations: true },
    };
  } catch (error) {
    if (error instanceof RuleFault) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

/**
 * The document files of a set by name. @throws UsageError for two documents with one name, or expected data without a
 * document
 */
function documentsAmong(folder: string, files: readonly string[]): Map<string, string> {
  const documents = new Map<string, string>();
  const expected = new Set(
    files.flatMap((file) => (file.endsWith(EXPECTED_SUFFIX) ? [file.slice(0, -EXPECTED_SUFFIX.length)] : [])),
  );
  for (const file of files) {
    const name = file.slice(0, file.length - extname(file).length);
    if (!expected.has(name) || file.endsWith(".json")) continue;
    const other = documents.get(name);
    if (other !== undefined) throw new UsageError(`${folder} has two documents of one name: ${other} and ${file}`);
    documents.set(name, file);
  }
  const lone = [...expected].find((name) => !documents.has(name));
  if (lone !== undefined) throw new UsageError(`${folder} has ${lone}${EXPECTED_SUFFIX}, but no document of that name`);
  if (documents.size === 0) throw new UsageError(`${folder} has no document with a NAME${EXPECTED_SUFFIX} beside it`);
  return documents;
}

/** Reads a whole set except its documents. @throws UsageError for a folder that is not a set */
export async function readSet(io: Io, folder: string): Promise<GoldenSet> {
  const files = await io.list(folder);
  if (files === undefined) throw new UsageError(`${folder} is no folder; a set is a folder of documents`);
  const path = (file: string): string => join(folder, file);
  const named = (file: string): string | undefined => (files.includes(file) ? path(file) : undefined);
  const settings = await readSettings(io, named("set.json"));
  const shared = named("schema.json");
  const sharedSchema = shared === undefined ? undefined : await readObject(io, shared);
  const documents: GoldenDocument[] = [];
  const found = documentsAmong(folder, files);
  const stranger = Object.keys(settings.groups).find((name) => !found.has(name));
  if (stranger !== undefined)
    throw new UsageError(`groups in set.json names ${stranger}, which is no document of ${folder}`);
  for (const [name, file] of found) {
    const own = named(name + SCHEMA_SUFFIX);
    const group = Object.hasOwn(settings.groups, name) ? settings.groups[name] : undefined;
    documents.push({
      name,
      file: path(file),
      expected: await readJson(io, path(name + EXPECTED_SUFFIX)),
      group: typeof group === "string" ? group : null,
      schema: own === undefined ? sharedSchema : await readObject(io, own),
    });
  }
  const { rules, command } = settings;
  return { name: settings.name ?? folder, documents, rules, command };
}
