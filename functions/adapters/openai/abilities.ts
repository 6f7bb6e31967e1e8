/**
 * Parameters that a model's server accepts. Servers do not list them: the driver sends every parameter that improves
 * answers, and stops sending those that the server refuses by name.
 */
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { Failure } from "./failure-reasons.ts";

export interface Abilities {
  /** Accepts `response_format` of type `json_schema`. */
  schema: boolean;
  /** Accepts `response_format` of type `json_object`. */
  object: boolean;
  temperature: boolean;
  seed: boolean;
  effort: boolean;
  /** Parameter that limits an answer's tokens. Many servers do not know OpenAI's newer name, and ignore it. */
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

/** A parameter to leave out: for this call only (its schema or its length), or for all calls to the server. */
export interface Concession {
  change: Partial<Abilities>;
  /** Name of the parameter on the wire. */
  parameter: string;
  remembered: boolean;
}

type Params = ChatCompletionCreateParamsNonStreaming;

const FORMAT_REFUSED = /response_format|json_schema|json_object|structured[ _]output|json mode|grammar/;
/** The server accepts the type but refuses this schema. */
const SCHEMA_REFUSED =
  /invalid (json )?schema|(?<!_)schema (contains|produces|has|must|is (not valid|too|invalid))\b|grammar/;
const LIMIT_TOO_LARGE = /too large|too (high|many)|at most|less than|exceed|maximum/;

/** True when a message contains the name as a whole word. */
const mentions = (body: string, name: string): boolean => new RegExp(`(?<![a-z_])${name}(?![a-z_])`).test(body);

function formatConcession(sent: Params, body: string): Concession | undefined {
  const type = sent.response_format?.type;
  if (type === undefined || type === "text" || !FORMAT_REFUSED.test(body)) return undefined;
  const schema = type === "json_schema";
  return {
    change: schema ? { schema: false } : { object: false },
    parameter: `response_format.${type}`,
    remembered: !(schema && SCHEMA_REFUSED.test(body)),
  };
}

function limitConcession(sent: Params, { reason, body = "" }: Failure): Concession | undefined {
  const parameter = sent.max_tokens != null ? "max_tokens" : "max_completion_tokens";
  if (sent[parameter] == null) return undefined;
  // The prompt alone may fit: servers add the answer's limit to it.
  if (reason === "too-long") return { change: { limit: "none" }, parameter, remembered: false };
  if (!mentions(body, "max_tokens") && !mentions(body, "max_completion_tokens")) return undefined;
  const other = parameter === "max_tokens" && mentions(body, "max_completion_tokens");
  if (!other && LIMIT_TOO_LARGE.test(body)) return { change: { limit: "none" }, parameter, remembered: false };
  return {
    change: { limit: parameter === "max_tokens" ? "max_completion_tokens" : "none" },
    parameter,
    remembered: true,
  };
}

/** Chooses the parameter to leave out after a refusal; undefined when the refusal names none that is optional. */
export function chooseConcession(sent: Params, failure: Failure): Concession | undefined {
  if (failure.reason === "too-long") return limitConcession(sent, failure);
  if (failure.reason !== "request") return undefined;
  const { body = "", parameter: named } = failure;
  const plain = (parameter: "temperature" | "seed" | "reasoning_effort", change: Partial<Abilities>) =>
    sent[parameter] == null || !mentions(body, parameter) ? undefined : { change, parameter, remembered: true };
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
