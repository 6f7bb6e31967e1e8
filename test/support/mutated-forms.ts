/** Forms with random damage, and how working with them ends. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { describeForm } from "../../functions/engine/templates/pdf/describe-form.ts";
import { openLazily } from "../../functions/engine/templates/pdf/lazy/lazy-document.ts";
import { AppError } from "../../functions/ports/errors.ts";
import { Random } from "../functions/engine/extraction/prng.ts";
import { fill } from "./filled-form.ts";
import { handForm, look } from "./hand-form.ts";
import { hybridForm, packedForm } from "./packed-form.ts";

const VALUES = { a: "new", b: true, c: "y" };
const ENTRY = /\d{10} \d{5} [nf]/gu;
/** What a list tells of its objects in the open: entries of tables, and numbers of the objects of a stream. */
const LISTED = /\d{10} \d{5} [nf]|\/Index \[[\d ]*\]/gu;
const ENTRY_BYTES = 18;
const MOST_SWAPPED_BYTES = 40;

function handMade(): Uint8Array {
  return handForm({
    widgets: [
      "/FT /Tx /T (a) /V (before) /Rect [20 20 200 40]",
      "/FT /Btn /T (b) /AS /Off /AP <</N <</Yes 20 0 R>>>> /Rect [20 60 40 80]",
      "/FT /Ch /Ff 131072 /T (c) /Opt [(x) (y)] /V (x) /Rect [20 90 200 110]",
    ],
    objects: [look(20, "0 0 20 20 re f")],
  });
}

/** Spread over all numbers: the first numbers after seeds near each other are near each other too. */
const SEED_FACTOR = 0x9e_37_79_b1;

export const randomOf = (seed: number): Random => new Random(Math.imul(seed + 1, SEED_FACTOR));

function changeBytes(file: Buffer, random: Random): Buffer {
  for (let left = random.int(1, 4); left > 0; left -= 1) file[random.int(0, file.length - 1)] = random.int(0, 255);
  return file;
}

function changeDigits(file: Buffer, random: Random): Buffer {
  const digits = [...file.toString("latin1").matchAll(/\d/gu)].map(({ index }) => index);
  for (let left = random.int(1, 3); left > 0; left -= 1) file[random.pick(digits)] = 0x30 + random.int(0, 9);
  return file;
}

const cutTail = (file: Buffer, random: Random): Buffer => file.subarray(0, random.int(0, file.length));

function swap(file: Buffer, [one, other]: readonly [number, number], bytes: number): Buffer {
  const before = Buffer.from(file.subarray(one, one + bytes));
  file.copy(file, one, other, other + bytes);
  before.copy(file, other);
  return file;
}

function swapPieces(file: Buffer, random: Random): Buffer {
  const bytes = random.int(1, MOST_SWAPPED_BYTES);
  const place = (): number => random.int(0, file.length - bytes);
  return swap(file, [place(), place()], bytes);
}

/** Swaps two entries of tables of cross-references, or any two pieces of a file without such a table. */
function swapOffsets(file: Buffer, random: Random): Buffer {
  const entries = [...file.toString("latin1").matchAll(ENTRY)].map(({ index }) => index);
  if (entries.length === 0) return swapPieces(file, random);
  return swap(file, [random.pick(entries), random.pick(entries)], ENTRY_BYTES);
}

const MUTATIONS = [changeBytes, changeDigits, cutTail, swapOffsets, swapPieces] as const;

/** A damaged copy of a file. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  return new Uint8Array(random.pick(MUTATIONS)(Buffer.from(bytes), random));
}

const filledHandMade = async (): Promise<Uint8Array> => (await fill(handMade(), { a: "second" })).bytes;

/** The form as a library writes it, with streams; its bytes are the same each time. */
async function rewritten(): Promise<Uint8Array> {
  const document = await PDFDocument.load(handMade(), { updateMetadata: false });
  return document.save({ useObjectStreams: true, updateFieldAppearances: false });
}

const filledRewritten = async (): Promise<Uint8Array> => (await fill(await rewritten(), { a: "second" })).bytes;
const entriesOf = (bytes: Uint8Array): string => (Buffer.from(bytes).toString("latin1").match(LISTED) ?? []).join("\n");

export interface MutatedForm {
  bytes: Uint8Array;
  /** The same form without damage. */
  undamaged: Uint8Array;
  /** Its list tells of other objects, or frees some, and is written as lists are. */
  listsOther: boolean;
}

/** Makes damaged copies of a form, which itself is made once. */
function damage(make: () => Uint8Array | Promise<Uint8Array>): (random: Random) => Promise<MutatedForm> {
  let form: Uint8Array | undefined;
  return async (random) => {
    form ??= await make();
    const bytes = mutated(form, random);
    return { bytes, undamaged: form, listsOther: entriesOf(bytes) !== entriesOf(form) };
  };
}

/** Makers of damaged forms by what lists the objects of the form that is damaged. */
export const MUTATED_FORMS: Readonly<Record<string, (random: Random) => Promise<MutatedForm>>> = {
  "a table": damage(handMade),
  "a table and a revision after it": damage(filledHandMade),
  "a table and a stream beside it": damage(hybridForm),
  "a stream": damage(() => packedForm()),
  "a stream with predictors": damage(() => packedForm({ predictor: true })),
  "a stream of a library": damage(rewritten),
  "a stream of a library and a revision after it": damage(filledRewritten),
};

/** A form whose objects were damaged before they were packed. */
export const packedWithDamage = (random: Random): Uint8Array =>
  packedForm({ change: (packed) => random.pick([changeBytes, changeDigits, swapPieces])(packed, random) });

/** The same file, which is read from front to back: a comment follows its end. */
export const readWhole = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([bytes, Buffer.from("\n%\n")]));

/** The result as text, or the sentence of the refusal. @throws any error that is no refusal */
async function endOf(work: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

async function describeFilled(bytes: Uint8Array): Promise<unknown> {
  const filled = await fill(bytes, VALUES, { ignoreUnknown: true });
  return describeForm(readWhole(filled.bytes));
}

/** Fields of a form, and those after filling, or the sentence that refuses it. */
type Ends = [listed: string, filled: string];

const fieldsIn = (listed: string): string[] =>
  listed.startsWith("{")
    ? (JSON.parse(listed) as { fields: unknown[] }).fields.map((field) => JSON.stringify(field))
    : [];

type Kind = "alike" | "more" | "sound" | "other";

function comparison(lazily: Ends, whole: Ends): Kind {
  if (lazily.join("\n") === whole.join("\n")) return "alike";
  const [own, all] = [fieldsIn(lazily[0]), fieldsIn(whole[0])];
  return own.length > all.length && all.every((field) => own.includes(field)) ? "more" : "other";
}

export interface Comparison {
  /**
   * How reading objects as they are asked for ends, beside reading the same file whole: with the same; with more fields;
   * with those of the form without damage.
   */
  kind: Kind;
  lazily: Ends;
  whole: Ends;
}

/**
 * Lists and fills a form in both ways of reading it.
 * @returns undefined for a file that is read from front to back anyway
 * @throws any error that is no refusal
 */
export async function compareEnds(bytes: Uint8Array, undamaged: Uint8Array): Promise<Comparison | undefined> {
  const listed = await endOf(() => describeForm(bytes));
  if (openLazily(bytes) === undefined) return undefined;
  const lazily: Ends = [listed, await endOf(() => describeFilled(bytes))];
  const copy = readWhole(bytes);
  const whole: Ends = [await endOf(() => describeForm(copy)), await endOf(() => describeFilled(copy))];
  const kind = comparison(lazily, whole);
  const isSound = kind === "other" && listed === (await endOf(() => describeForm(undamaged)));
  return { kind: isSound ? "sound" : kind, lazily, whole };
}
