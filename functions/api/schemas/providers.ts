/** Requests and replies of the routes of an organization's own providers. */
import * as z from "zod";
import type { Json } from "../../ports/json.ts";
import { PROVIDER_STATUSES } from "../../service/providers/provider-records.ts";
import { enumeration, hasOneOf, identifier, integer } from "./common.ts";

/** Most characters of a name or of a model's name, of a description, and of an address. */
const MAX_NAME_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_URL_CHARS = 2_048;
/** Most characters of a secret: signed tokens, the longest in use, have some 2,000. */
const MAX_KEY_CHARS = 4_096;
const KEY_PATTERN = /^[\x21-\x7e]*$/;

const text = (most: number) =>
  z.string({ error: "must be a text" }).max(most, { error: `must be at most ${most} characters` });
const name = () => text(MAX_NAME_CHARS).regex(/\S/, { error: "must not be empty" });
const modelType = () =>
  z.string({ error: "must be a text" }).regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
    error: "must be a name such as OPENAI, AZURE or CUSTOM",
  });
const options = () => z.record(z.string(), z.unknown(), { error: "must be a JSON object" });
const features = () =>
  z.union([options(), z.array(z.unknown()), text(MAX_NAME_CHARS)], { error: "must be an object, a list or a text" });

const common = {
  description: text(MAX_DESCRIPTION_CHARS).optional(),
  status: enumeration(PROVIDER_STATUSES).optional(),
  apiKey: text(MAX_KEY_CHARS)
    .regex(KEY_PATTERN, { error: "must be printable ASCII without spaces" })
    .optional()
    .meta({ writeOnly: true }),
};
const llm = {
  ...common,
  modelType: modelType().optional(),
  type: modelType().optional(),
  apiUrl: text(MAX_URL_CHARS).optional(),
  baseUrl: text(MAX_URL_CHARS).optional(),
  deploymentName: text(MAX_NAME_CHARS).optional(),
  model: text(MAX_NAME_CHARS).optional(),
  kwargs: options().optional(),
  credentialId: integer("must be the id of an LLM provider", 1).optional(),
};
const ocr = {
  ...common,
  endpoint: text(MAX_URL_CHARS).optional(),
  modelId: text(MAX_NAME_CHARS).optional(),
  model: text(MAX_NAME_CHARS).optional(),
  features: features().optional(),
};
/** The state that a change is made for. */
const change = { name: name().optional(), updatedAt: text(64).optional() };

const NewLlm = z.looseObject({ ...llm, name: name() });
export const NewLlmProvider = NewLlm.refine((body) => (body.modelType ?? body.type) !== undefined, {
  path: ["modelType"],
  message: "is required",
}).meta(hasOneOf(["modelType"], ["type"]));
export const LlmProviderChange = z.looseObject({ ...llm, ...change });
export const NewOcrProvider = z.looseObject({ ...ocr, name: name() });
export const OcrProviderChange = z.looseObject({ ...ocr, ...change });
export const KeyBinding = z.looseObject({
  providerId: integer("must be the id of a provider", 1).optional(),
});

/** The names of the settings, of which either is read. */
export function llmWish(body: z.output<typeof LlmProviderChange>) {
  const { name: own, description, status, apiKey, updatedAt, credentialId } = body;
  return {
    ...{ name: own, description, status, apiKey, updatedAt, credentialId },
    modelType: body.modelType ?? body.type,
    apiUrl: body.apiUrl ?? body.baseUrl,
    deploymentName: body.deploymentName ?? body.model,
    kwargs: body.kwargs as { [name: string]: Json } | undefined,
  };
}

export function ocrWish(body: z.output<typeof OcrProviderChange>) {
  const { name: own, description, status, apiKey, updatedAt, endpoint } = body;
  return {
    ...{ name: own, description, status, apiKey, updatedAt, endpoint },
    modelId: body.modelId ?? body.model,
    features: body.features as Json | undefined,
  };
}

const time = z.iso.datetime();
const saved = { description: z.string(), status: z.enum([...PROVIDER_STATUSES, "DELETED"]) };

export const LlmProvider = z
  .looseObject({
    id: z.int(),
    name: z.string(),
    apiUrl: z.string(),
    modelType: z.string(),
    deploymentName: z.string(),
    kwargs: z.looseObject({}),
    ...saved,
    credentialId: z.int().nullable(),
    hasApiKey: z.boolean(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "LlmProvider" });

export const OcrProvider = z
  .looseObject({
    id: z.int(),
    name: z.string(),
    endpoint: z.string(),
    modelId: z.string(),
    features: z.unknown(),
    ...saved,
    hasApiKey: z.boolean(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "OcrProvider" });

export const ProviderBinding = z
  .looseObject({ key: z.string(), providerId: z.int().nullable(), providerName: z.string().nullable() })
  .meta({ id: "ProviderBinding" });

export const ProviderTest = z.looseObject({ ok: z.boolean(), message: z.string() }).meta({ id: "ProviderTest" });

export const providerParams = z.object({ id: identifier("The provider's id") });
export const keyParams = z.object({ key: identifier("The key, in upper case") });
