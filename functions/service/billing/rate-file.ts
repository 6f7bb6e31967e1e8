/** Rates as JSON: read strictly, each fault with its line. */
import { isObject, type Json } from "../../ports/json.ts";
import { LLM_TIERS, type LlmTier } from "../../ports/llm.ts";
import { linesOfJson } from "./json-line-numbers.ts";
import { ALWAYS, MILLIONTHS, MULTIPLIER_DECIMALS, type RateSet, type RateTable } from "./rate.ts";

/** A fault of the rates: its line, from 1, and what must stand there. */
export class RateFault extends Error {
  override name = "RateFault";
  readonly line: number;

  constructor(line: number, sentence: string) {
    super(`line ${line}: ${sentence}`);
    this.line = line;
  }
}

/** Largest multiplier of a tier: a thousand tokens for one. */
const MAX_MULTIPLIER = 1_000;
/** Most tokens of a page. */
const MAX_PAGE_TOKENS = 1_000_000;
/** Most sets of rates: a change a day for a year. */
const MAX_SETS = 400;
const PROVIDER_PATTERN = /^[a-z0-9][\w.:-]{0,63}$/i;
const TIME_PATTERN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;
const MULTIPLIER_PATTERN = new RegExp(`^\\d{1,4}(\\.\\d{1,${MULTIPLIER_DECIMALS}})?$`);

type Fault = (pointer: string, sentence: string) => RateFault;

/** A multiplier in millionths. JSON numbers of so few digits are read back exactly. */
function multiplierOf(value: Json | undefined, pointer: string, fault: Fault): number {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  const [whole = "", decimals = ""] = text.split(".");
  const millionths = Number(whole) * MILLIONTHS + Number(decimals.padEnd(MULTIPLIER_DECIMALS, "0"));
  if (MULTIPLIER_PATTERN.test(text) && millionths <= MAX_MULTIPLIER * MILLIONTHS) return millionths;
  throw fault(
    pointer,
    `a multiplier is a decimal from 0 to ${MAX_MULTIPLIER} with at most ${MULTIPLIER_DECIMALS} digits after the point`,
  );
}

function timeOf(value: Json | undefined, fault: Fault, pointer: string): string {
  if (value === undefined) return ALWAYS;
  const time = typeof value === "string" && TIME_PATTERN.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw fault(pointer, "`from` is a day or a time in UTC, such as 2026-12-01 or 2026-12-01T00:00:00Z");
}

function tiersOf(value: Json | undefined, fault: Fault, at: string): RateSet["tiers"] {
  if (value === undefined) return {};
  if (!isObject(value)) throw fault(at, '`llm` is an object of tiers, such as {"MINI": 0.25}');
  const tiers = Object.entries(value).map(([name, multiplier]) => {
    const tier = LLM_TIERS.find((one) => one === name.toUpperCase());
    if (tier === undefined)
      throw fault(`${at}/${name}`, `there is no tier ${name}; the tiers are ${LLM_TIERS.join(", ")}`);
    return [tier, multiplierOf(multiplier, `${at}/${name}`, fault)] as [LlmTier, number];
  });
  return Object.fromEntries(tiers);
}

function pagesOf(value: Json | undefined, fault: Fault, at: string): RateSet["pages"] {
  if (value === undefined) return {};
  if (!isObject(value)) throw fault(at, '`ocr` is an object of providers, such as {"textract": 1000}');
  const pages = Object.entries(value).map(([provider, tokens]) => {
    const pointer = `${at}/${provider}`;
    if (!PROVIDER_PATTERN.test(provider)) throw fault(pointer, "a provider's name has letters, digits and . _ - :");
    const isRate = typeof tokens === "number" && Number.isInteger(tokens) && tokens >= 0 && tokens <= MAX_PAGE_TOKENS;
    if (!isRate) throw fault(pointer, `tokens a page are a whole number from 0 to ${MAX_PAGE_TOKENS}`);
    return [provider, tokens] as const;
  });
  return Object.fromEntries(pages);
}

const MEMBERS = new Set(["from", "llm", "ocr"]);

function setOf(value: Json, fault: Fault, at: string): RateSet {
  if (!isObject(value)) throw fault(at, "a set of rates is an object with `from`, `llm` and `ocr`");
  const unknown = Object.keys(value).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined)
    throw fault(`${at}/${unknown}`, `there is no member ${unknown}; a set has from, llm and ocr`);
  return {
    from: timeOf(value.from, fault, `${at}/from`),
    tiers: tiersOf(value.llm, fault, `${at}/llm`),
    pages: pagesOf(value.ocr, fault, `${at}/ocr`),
  };
}

/** @throws RateFault with the line where the JSON ends to be JSON */
function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const [, line] = /line (\d+) column/.exec(error instanceof Error ? error.message : "") ?? [];
    throw new RateFault(Number(line ?? text.split("\n").length), "here it is no longer JSON");
  }
}

/**
 * Parses rates: a set, or a list of sets with the times from which they hold.
 * @throws RateFault with the line that is wrong
 */
export function parseRates(text: string): RateTable {
  const value = parseJson(text);
  const lines = linesOfJson(text);
  const fault: Fault = (pointer, sentence) => new RateFault(lines.get(pointer) ?? 1, sentence);
  if (!Array.isArray(value)) return [setOf(value, fault, "")];
  if (value.length > MAX_SETS) throw fault("", `there are at most ${MAX_SETS} sets of rates`);
  const sets = value.map((one, index) => setOf(one, fault, `/${index}`));
  const repeated = sets.findIndex(({ from }, index) => sets.findIndex((one) => one.from === from) < index);
  if (repeated >= 0) throw fault(`/${repeated}`, "another set of rates is from the same time");
  return sets;
}
