/** Parsers of option values that several commands share; a refused value is wrong usage. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { OcrMode } from "../index.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { UsageError } from "./io.ts";

const OCR_MODES: readonly OcrMode[] = ["DEFAULT", "NONE", "PREMIUM", "AUTO", "EXCEL", "LOW"];

/** @throws InvalidArgumentError */
function parseOcrMode(value: string): OcrMode {
  const mode = OCR_MODES.find((one) => one === value.toUpperCase());
  if (mode === undefined) throw new InvalidArgumentError(`It is one of ${OCR_MODES.join(", ")}.`);
  return mode;
}

/** How a document is read; small letters do too. */
export const ocrOption = (): Option =>
  new Option("--ocr <mode>", "how to read it").choices(OCR_MODES).argParser(parseOcrMode);

/** Adds --wait and --no-wait, and the longest wait. @param what is waited for */
export const addWaitOptions = (
  command: Command,
  what: string,
  { seconds = DEFAULT_TIMEOUT_SECONDS, waits = true }: { seconds?: number; waits?: boolean } = {},
): Command =>
  command
    .option("--wait", `wait for ${what}`, waits)
    .option("--no-wait", "print the job's GUID and status at once")
    .option("--timeout <seconds>", "longest wait", parseSeconds, seconds);

/** From 0. @throws InvalidArgumentError */
export function parseCount(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError("It is a whole number from 0.");
  return Number(value);
}

/** A share. @throws InvalidArgumentError */
export function parseShare(value: string): number {
  const share = Number(value);
  if (!/^\d*\.?\d+$/.test(value) || share > 1) throw new InvalidArgumentError("It is a number from 0 to 1.");
  return share;
}

/** Seconds, from 0. @throws InvalidArgumentError */
export function parseSeconds(value: string): number {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError("It is a number of seconds.");
  return Number(value);
}

/** A whole number from 1. @throws InvalidArgumentError */
export function parseWholeNumber(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError("It is a whole number from 1.");
  return Number(value);
}

/** A case's id. @throws InvalidArgumentError */
export function parseCaseId(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new InvalidArgumentError("It is a case's id, a whole number.");
  return Number(value);
}

/** A job's id in lower case. @throws InvalidArgumentError */
export function parseGuid(value: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) {
    throw new InvalidArgumentError("It is a job's id, such as 0197f3a2-5c1e-7b40-9d27-3e8f6a1b2c3d.");
  }
  return value.toLowerCase();
}

/** @throws InvalidArgumentError */
export function parseMimeType(value: string): string {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(value)) throw new InvalidArgumentError("It is a type such as application/pdf.");
  return value;
}

/** Parses JSON text that must be an object. @param what the text is, and its place, for the error @throws UsageError */
export function parseJsonObject(text: string, what: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isObject(value)) throw new UsageError(`${what} must be a JSON object`);
  return value;
}

/** Default of --timeout: a document has 300 s. */
export const DEFAULT_TIMEOUT_SECONDS = 330;
