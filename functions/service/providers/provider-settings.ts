/** The settings of a provider that a caller may set: their checks and defaults. */
import { BadRequest } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import type {
  LlmProviderRecord,
  LlmProviderSettings,
  OcrProviderRecord,
  OcrProviderSettings,
  ProviderStatus,
} from "./provider-records.ts";

/** Settings common to both kinds; an absent member stays as it is. */
interface CommonWish {
  name?: string | undefined;
  description?: string | undefined;
  status?: ProviderStatus | undefined;
  /** An empty text removes the secret. */
  apiKey?: string | undefined;
  /** The provider's `updatedAt` that the change is made for. */
  updatedAt?: string | undefined;
}

export interface LlmProviderWish extends CommonWish {
  apiUrl?: string | undefined;
  modelType?: string | undefined;
  deploymentName?: string | undefined;
  kwargs?: { [name: string]: Json } | undefined;
  credentialId?: number | undefined;
}

export interface OcrProviderWish extends CommonWish {
  endpoint?: string | undefined;
  modelId?: string | undefined;
  features?: Json | undefined;
}

/** Addresses of the public interfaces with OpenAI's protocol, by type of model, as their makers publish them. */
const PUBLIC_URLS: Readonly<Record<string, string>> = {
  OPENAI: "https://api.openai.com/v1",
  MISTRAL: "https://api.mistral.ai/v1",
  GROQ: "https://api.groq.com/openai/v1",
  DEEPSEEK: "https://api.deepseek.com/v1",
  OPENROUTER: "https://openrouter.ai/api/v1",
};

/** Version of Azure's interface where `kwargs` name none: the newest that is generally available. */
const DEFAULT_API_VERSION = "2024-10-21";
const API_VERSION_NAMES = ["api-version", "api_version", "apiVersion"];
/** Members of `kwargs` that describe the model, and are not sent. */
const FACT_NAMES = ["contextTokens", "answerTokens", "takesImages"] as const;
/** Least tokens that a model must take: the service's own prompts have some thousand. */
const MIN_CONTEXT_TOKENS = 1_000;
const MIN_ANSWER_TOKENS = 256;
/** Most characters of `kwargs` or `features` as JSON: they are settings, not documents. */
const MAX_OPTIONS_CHARS = 4_000;

const SECRET_NAME = /^(?:api[-_]?key|key|authorization|password|.*secret.*|(?:.*[-_])?token)$/i;

export const isAzure = (modelType: string): boolean => modelType.startsWith("AZURE");

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** The version of Azure's interface. */
export const apiVersionOf = (kwargs: LlmProviderRecord["kwargs"]): string =>
  API_VERSION_NAMES.map((name) => textOf(kwargs[name])).find((text) => text !== undefined) ?? DEFAULT_API_VERSION;

/** Properties of the model, where `kwargs` name them. */
export function factsOf({ contextTokens, answerTokens, takesImages }: LlmProviderRecord["kwargs"]) {
  return {
    ...(typeof contextTokens === "number" ? { contextTokens } : {}),
    ...(typeof answerTokens === "number" ? { answerTokens } : {}),
    ...(typeof takesImages === "boolean" ? { takesImages } : {}),
  };
}

/** The members of `kwargs` that are sent with every request. */
export const extraOf = (kwargs: LlmProviderRecord["kwargs"]): Record<string, Json> =>
  Object.fromEntries(Object.entries(kwargs).filter(([name]) => ![...API_VERSION_NAMES, ...FACT_NAMES].includes(name)));

/** @throws BadRequest for options that are too long or seem to hold a secret, which answers would show */
function checkOptions(member: string, options: Json): void {
  if (JSON.stringify(options).length > MAX_OPTIONS_CHARS) {
    throw new BadRequest(`${member} must have at most ${MAX_OPTIONS_CHARS} characters of JSON`);
  }
  const secret = secretNameIn(options);
  if (secret !== undefined) {
    throw new BadRequest(`${member} is shown in answers and must hold no secret; send ${secret} as apiKey`);
  }
}

/** The first name of a member, at any depth, that is a secret's. */
function secretNameIn(value: Json): string | undefined {
  if (Array.isArray(value)) return value.map(secretNameIn).find((name) => name !== undefined);
  if (!isObject(value)) return undefined;
  const [name] = Object.keys(value).filter((one) => SECRET_NAME.test(one));
  return name ?? secretNameIn(Object.values(value) as Json[]);
}

function checkFacts(kwargs: LlmProviderRecord["kwargs"]): void {
  const least = { contextTokens: MIN_CONTEXT_TOKENS, answerTokens: MIN_ANSWER_TOKENS };
  for (const [name, minimum] of Object.entries(least)) {
    const value = kwargs[name];
    const isFit = Number.isSafeInteger(value) && (value as number) >= minimum;
    if (value !== undefined && !isFit) throw new BadRequest(`kwargs.${name} must be an integer of at least ${minimum}`);
  }
  if (!["undefined", "boolean"].includes(typeof kwargs.takesImages)) {
    throw new BadRequest("kwargs.takesImages must be true or false");
  }
}

/** @throws BadRequest for an address that is none, or has a part that would be shown or lost */
function checkAddress(member: string, address: string): void {
  const url = URL.parse(address);
  if (url === null) throw new BadRequest(`${member} must be a whole address, such as https://models.example.com/v1`);
  const secret = [...url.searchParams.keys()].find((name) => SECRET_NAME.test(name));
  if (secret !== undefined) throw new BadRequest(`${member} is shown in answers; send its ${secret} as apiKey`);
}

const kept = <T>(wish: T | undefined, before: T | undefined, otherwise: T): T => wish ?? before ?? otherwise;

const commonOf = (wish: CommonWish, before: LlmProviderRecord | OcrProviderRecord | undefined) => ({
  name: kept(wish.name, before?.name, ""),
  description: kept(wish.description, before?.description, ""),
  status: kept<ProviderStatus>(wish.status, before?.status, "ACTIVE"),
});

/** The settings of an LLM provider. @throws BadRequest */
export function llmSettings(wish: LlmProviderWish, before?: LlmProviderRecord): LlmProviderSettings {
  const modelType = kept(wish.modelType, before?.modelType, "").toUpperCase();
  const apiUrl = textOf(wish.apiUrl) ?? before?.apiUrl ?? PUBLIC_URLS[modelType];
  if (apiUrl === undefined) {
    const known = Object.keys(PUBLIC_URLS).join(", ");
    throw new BadRequest(`apiUrl is missing: only the types ${known} have a public address of their own`);
  }
  checkAddress("apiUrl", apiUrl);
  const deploymentName = kept(wish.deploymentName, before?.deploymentName, "").trim();
  if (isAzure(modelType) && deploymentName === "" && !/\/deployments\/[^/]/.test(apiUrl)) {
    throw new BadRequest("deploymentName is missing: Azure is asked for a deployment by its name");
  }
  const kwargs = kept(wish.kwargs, before?.kwargs, {});
  checkOptions("kwargs", kwargs);
  checkFacts(kwargs);
  return { ...commonOf(wish, before), apiUrl, modelType, deploymentName, kwargs };
}

/** The settings of an OCR provider; without an address it cannot be bound. @throws BadRequest */
export function ocrSettings(wish: OcrProviderWish, before?: OcrProviderRecord): OcrProviderSettings {
  const endpoint = textOf(wish.endpoint) ?? before?.endpoint ?? "";
  if (endpoint !== "") checkAddress("endpoint", endpoint);
  const features = kept<Json>(wish.features, before?.features, {});
  checkOptions("features", features);
  return { ...commonOf(wish, before), endpoint, modelId: kept(wish.modelId, before?.modelId, ""), features };
}
