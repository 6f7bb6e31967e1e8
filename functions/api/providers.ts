/** An organization's own providers: language models and text recognition. */
import * as z from "zod";
import type { Organization } from "../service/organizations/organization.ts";
import { type ProbeAnswer, probeLlmProvider, probeOcrProvider } from "../service/providers/probe-provider.ts";
import {
  KIND_NAMES,
  type LlmProviderRecord,
  type OcrProviderRecord,
  type ProviderKind,
} from "../service/providers/provider-records.ts";
import {
  createProvider,
  deleteProvider,
  listProviders,
  loadProvider,
  unknownProvider,
  updateProvider,
} from "../service/providers/providers.ts";
import { ok } from "./http/reply.ts";
import { type OrganizationRoute, route } from "./http/route.ts";
import { keyRoutes, TAG } from "./provider-keys.ts";
import { flagParameter } from "./schemas/common.ts";
import {
  LlmProvider,
  LlmProviderChange,
  llmWish,
  NewLlmProvider,
  NewOcrProvider,
  OcrProvider,
  OcrProviderChange,
  ocrWish,
  ProviderTest,
  providerParams,
} from "./schemas/providers.ts";

const TIMES = { createdAt: "2026-01-31T10:00:00.000Z", updatedAt: "2026-01-31T10:00:00.000Z" };

const llmReply = (record: LlmProviderRecord) => {
  const { v: _, sealedKey, credentialId, ...shown } = record;
  return { ...shown, credentialId: credentialId ?? null, hasApiKey: sealedKey !== undefined };
};
const ocrReply = ({ v: _, sealedKey, ...shown }: OcrProviderRecord) => ({
  ...shown,
  hasApiKey: sealedKey !== undefined,
});

/** Names a request that may be repeated. */
const requestOf = (given: { newGuid: string; idempotencyKey: string | undefined }): string | undefined =>
  given.idempotencyKey === undefined ? undefined : given.newGuid;

/** An id in a path; a malformed one is unknown. @throws NotFound */
function idOf(kind: ProviderKind, text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw unknownProvider(kind, 0);
  return id;
}

const LLM_EXAMPLE = {
  id: 3,
  name: "our models",
  apiUrl: "https://models.example.com/v1",
  modelType: "CUSTOM",
  deploymentName: "our-model-70b",
  kwargs: {},
  description: "",
  status: "ACTIVE",
  credentialId: null,
  hasApiKey: true,
  ...TIMES,
};
const OCR_EXAMPLE = {
  id: 4,
  name: "our scanner",
  endpoint: "https://ocr.example.com/v1/page",
  modelId: "",
  features: {},
  description: "",
  status: "ACTIVE",
  hasApiKey: true,
  ...TIMES,
};

const ADDRESS =
  "The address must be https and public. `apiKey` is sealed and write-only: no answer holds it, `hasApiKey` says that " +
  'there is one, and `""` removes it.';

const DESCRIPTIONS = {
  llm:
    "A server of OpenAI's chat-completions protocol; `modelType` (or `type`) AZURE: a deployment of Azure, named by " +
    "`deploymentName` (or `model`), with `api-version` in `kwargs`. Without `apiUrl` (or `baseUrl`) the type's public " +
    "address. `kwargs` may have `contextTokens`, `answerTokens` and `takesImages` of the model; other members are sent " +
    `with every request. \`credentialId\`: the provider whose key to use, for the same host. ${ADDRESS}`,
  ocr: `A server of the OCR contract (docs/providers.md). ${ADDRESS}`,
} as const;

const CHANGE =
  "Absent members stay as they are. 409 when another request changed it meanwhile, or since `updatedAt`, where that is " +
  "sent. Another host needs `apiKey` with it, where there is a key.";

const DELETION =
  "Its key is gone, and the keys bound to it stand for the service's own again. Runs under way that need it fail. The " +
  "rest of the record stays, for usage that names `provider:{id}`; no id is given twice.";

const TEST =
  "Sends one short request as a run would, and says whether it was answered; the message holds no word of the provider.";

const TEST_EXAMPLE: ProbeAnswer = { ok: true, message: "LLM provider 3 answered" };

const listQuery = z.object({ deleted: flagParameter().optional() });

/** Routes that are the same for both kinds, but for their shapes. */
function sharedRoutes(
  kind: ProviderKind,
  shape: z.ZodType,
  example: object,
  calls: {
    list(org: Organization, deleted: boolean): Promise<object[]>;
    get(org: Organization, id: number): Promise<object>;
    remove(org: Organization, id: number): Promise<object>;
    probe(org: Organization, id: number): Promise<ProbeAnswer>;
  },
): OrganizationRoute[] {
  const what = KIND_NAMES[kind];
  const path = `/${kind}/providers`;
  const one = { path: `${path}/{id}`, scope: "admin", tag: TAG, params: providerParams } as const;
  const reply = { 200: { description: "The provider", schema: shape, example } };
  const probe = (name: string, summary: string) =>
    route({
      ...one,
      method: "POST",
      path: `${path}/{id}/${name}`,
      summary,
      description: TEST,
      errors: [404],
      replies: { 200: { description: "Whether it answered", schema: ProviderTest, example: TEST_EXAMPLE } },
      run: async ({ params }, { org }) => ok(await calls.probe(org, idOf(kind, params.id))),
    });
  return [
    route({
      method: "GET",
      path,
      scope: "admin",
      tag: TAG,
      summary: `The ${what}s, by id`,
      description: "With `deleted`, those that were deleted too.",
      query: listQuery,
      errors: [400],
      replies: { 200: { description: "All of them", schema: z.array(shape), example: [example] } },
      run: async ({ query }, { org }) => ok(await calls.list(org, query.deleted === true)),
    }),
    route({
      ...one,
      method: "GET",
      summary: `One ${what}`,
      errors: [404],
      replies: reply,
      run: async ({ params }, { org }) => ok(await calls.get(org, idOf(kind, params.id))),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: `Delete an ${what}`,
      description: DELETION,
      errors: [404, 409],
      replies: { 200: { description: "The provider, DELETED", schema: shape } },
      run: async ({ params }, { org }) => ok(await calls.remove(org, idOf(kind, params.id))),
    }),
    probe("test", `Ask an ${what} once`),
    probe("verify", `Ask an ${what} once, under another name`),
  ];
}

export const createLlm = route({
  method: "POST",
  path: "/llm/providers",
  scope: "admin",
  tag: TAG,
  summary: "Save an LLM provider",
  description: DESCRIPTIONS.llm,
  idempotent: true,
  body: {
    kind: "json",
    schema: NewLlmProvider,
    required: true,
    examples: {
      own: { name: "our models", type: "CUSTOM", baseUrl: "https://models.example.com/v1", model: "our-model-70b" },
      openai: { name: "our account", type: "OPENAI", model: "a-model", apiKey: "the-key" },
    },
  },
  errors: [400, 409],
  replies: { 200: { description: "The provider", schema: LlmProvider, example: LLM_EXAMPLE } },
  run: async ({ body, ...given }, { org }) =>
    ok(llmReply(await createProvider(org, "llm", llmWish(body), requestOf(given)))),
});

export const updateLlm = route({
  method: "PATCH",
  path: "/llm/providers/{id}",
  scope: "admin",
  tag: TAG,
  summary: "Change an LLM provider",
  description: CHANGE,
  params: providerParams,
  body: { kind: "json", schema: LlmProviderChange, required: true, examples: { rename: { name: "our new models" } } },
  errors: [400, 404, 409],
  replies: { 200: { description: "The provider", schema: LlmProvider, example: LLM_EXAMPLE } },
  run: async ({ params, body }, { org }) =>
    ok(llmReply(await updateProvider(org, "llm", idOf("llm", params.id), llmWish(body)))),
});

export const createOcr = route({
  method: "POST",
  path: "/ocr/providers",
  scope: "admin",
  tag: TAG,
  summary: "Save an OCR provider",
  description: DESCRIPTIONS.ocr,
  idempotent: true,
  body: {
    kind: "json",
    schema: NewOcrProvider,
    required: true,
    examples: { own: { name: "our scanner", endpoint: "https://ocr.example.com/v1/page", apiKey: "the-key" } },
  },
  errors: [400, 409],
  replies: { 200: { description: "The provider", schema: OcrProvider, example: OCR_EXAMPLE } },
  run: async ({ body, ...given }, { org }) =>
    ok(ocrReply(await createProvider(org, "ocr", ocrWish(body), requestOf(given)))),
});

export const updateOcr = route({
  method: "PATCH",
  path: "/ocr/providers/{id}",
  scope: "admin",
  tag: TAG,
  summary: "Change an OCR provider",
  description: CHANGE,
  params: providerParams,
  body: { kind: "json", schema: OcrProviderChange, required: true, examples: { rename: { name: "the new scanner" } } },
  errors: [400, 404, 409],
  replies: { 200: { description: "The provider", schema: OcrProvider, example: OCR_EXAMPLE } },
  run: async ({ params, body }, { org }) =>
    ok(ocrReply(await updateProvider(org, "ocr", idOf("ocr", params.id), ocrWish(body)))),
});

const llmRoutes = sharedRoutes("llm", LlmProvider, LLM_EXAMPLE, {
  list: async (org, deleted) => (await listProviders(org, "llm", { deleted })).map(llmReply),
  get: async (org, id) => llmReply((await loadProvider(org, "llm", id)).value),
  remove: async (org, id) => llmReply(await deleteProvider(org, "llm", id)),
  probe: async (org, id) => probeLlmProvider(org, (await loadProvider(org, "llm", id)).value),
});
const ocrRoutes = sharedRoutes("ocr", OcrProvider, OCR_EXAMPLE, {
  list: async (org, deleted) => (await listProviders(org, "ocr", { deleted })).map(ocrReply),
  get: async (org, id) => ocrReply((await loadProvider(org, "ocr", id)).value),
  remove: async (org, id) => ocrReply(await deleteProvider(org, "ocr", id)),
  probe: async (org, id) => probeOcrProvider(org, (await loadProvider(org, "ocr", id)).value),
});

export const providerRoutes = [
  createLlm,
  updateLlm,
  ...llmRoutes,
  ...keyRoutes("llm"),
  createOcr,
  updateOcr,
  ...ocrRoutes,
  ...keyRoutes("ocr"),
];
