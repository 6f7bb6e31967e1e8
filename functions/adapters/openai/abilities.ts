/**
 * What a model's server takes. There is no way to ask: everything is sent that makes answers better, and what the
 * server refuses by name is left out from then on.
 */
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { Failure } from "./failures.ts";

export interface Abilities {
  /** `response_format` of the type `json_schema`. */
  schema: boolean;
  /** `response_format` of the type `json_object`. */
  object: boolean;
  temperature: boolean;
  seed: boolean;
  effort: boolean;
  /** How the most tokens of an answer are given. OpenAI's newer name is unknown to many servers, which ignore it. */
  limit: "max_tokens" | "max_completion_tokens" | "none";
}

export const initialAbilities = (reasons: boolean): Abilities => ({
  schema: true,
  object: true,
  temperature: !reasons,
  seed: true,
  effort: true,
  limit: reasons ? "max_completion_tokens" : "max_tokens",
});

/** What is to be left out, and whether only of this call: because of its schema or its length, not of the server. */
export interface Concession {
  change: Partial<Abilities>;
  /** As the parameter is called on the wire. */
  parameter: string;
  remembered: boolean;
}

type Params = ChatCompletionCreateParamsNonStreaming;

const ABOUT_FORMAT = /response_format|json_schema|json_object|structured[ _]output|json mode|grammar/;
/** The type is taken, this schema is not. */
const ABOUT_SCHEMA =
  /invalid (json )?schema|(?<!_)schema (contains|produces|has|must|is (not valid|too|invalid))\b|grammar/;
const TOO_LARGE = /too large|too (high|many)|at most|less than|exceed|maximum/;

/** A name in a message, not as a part of a longer one. */
const names = (body: string, name: string): boolean => new RegExp(`(?<![a-z_])${name}(?![a-z_])`).test(body);

function formatConcession(sent: Params, body: string): Concession | undefined {
  const type = sent.response_format?.type;
  if (type === undefined || type === "text" || !ABOUT_FORMAT.test(body)) return undefined;
  const schema = type === "json_schema";
  return {
    change: schema ? { schema: false } : { object: false },
    parameter: `response_format.${type}`,
    remembered: !(schema && ABOUT_SCHEMA.test(body)),
  };
}

function limitConcession(sent: Params, { reason, body = "" }: Failure): Concession | undefined {
  const parameter = sent.max_tokens != null ? "max_tokens" : "max_completion_tokens";
  if (sent[parameter] == null) return undefined;
  // The prompt alone may fit: servers count what the answer may have with it.
  if (reason === "too-long") return { change: { limit: "none" }, parameter, remembered: false };
  if (!names(body, "max_tokens") && !names(body, "max_completion_tokens")) return undefined;
  const other = parameter === "max_tokens" && names(body, "max_completion_tokens");
  if (!other && TOO_LARGE.test(body)) return { change: { limit: "none" }, parameter, remembered: false };
  return {
    change: { limit: parameter === "max_tokens" ? "max_completion_tokens" : "none" },
    parameter,
    remembered: true,
  };
}

/** What to leave out after a refusal; undefined when it names nothing that can be done without. */
export function concede(sent: Params, failure: Failure): Concession | undefined {
  if (failure.reason === "too-long") return limitConcession(sent, failure);
  if (failure.reason !== "request") return undefined;
  const { body = "", parameter: named } = failure;
  const plain = (parameter: "temperature" | "seed" | "reasoning_effort", change: Partial<Abilities>) =>
    sent[parameter] == null || !names(body, parameter) ? undefined : { change, parameter, remembered: true };
  const all: [string, Concession | undefined][] = [
    ["response_format", formatConcession(sent, body)],
    ["temperature", plain("temperature", { temperature: false })],
    ["seed", plain("seed", { seed: false })],
    ["reasoning_effort", plain("reasoning_effort", { effort: false })],
    ["max_", limitConcession(sent, failure)],
  ];
  const exact = named === undefined ? undefined : all.find(([start]) => named.startsWith(start))?.[1];
  return exact ?? all.map(([, concession]) => concession).find((concession) => concession !== undefined);
}
