/** The keys that an organization's own providers are bound to. */
import * as z from "zod";
import { bindKey, listBindings } from "../service/providers/bindings.ts";
import { KEYS_BY_KIND, KIND_NAMES, type ProviderKind } from "../service/providers/provider-records.ts";
import { ok } from "./http/reply.ts";
import { type OrganizationRoute, route } from "./http/route.ts";
import { KeyBinding, keyParams, ProviderBinding } from "./schemas/providers.ts";

export const TAG = "Providers";

/** The routes of a kind's keys. */
export function keyRoutes(kind: ProviderKind): OrganizationRoute[] {
  const what = KIND_NAMES[kind];
  return [
    route({
      method: "GET",
      path: `/${kind}/keys`,
      scope: "admin",
      tag: TAG,
      summary: `The keys of ${what}s, with their bindings`,
      description: `The keys are ${KEYS_BY_KIND[kind].join(", ")}; one without a provider stands for the service's own.`,
      replies: { 200: { description: "All keys", schema: z.array(ProviderBinding) } },
      run: async (_input, { org }) => ok(await listBindings(org, kind)),
    }),
    route({
      method: "PUT",
      path: `/${kind}/keys/{key}`,
      scope: "admin",
      tag: TAG,
      summary: `Bind a key to an ${what}`,
      description:
        "Runs that are opened from now on ask the provider where they ask for the key. Without `providerId`, or with null, " +
        "the key stands for the service's own again.",
      params: keyParams,
      body: {
        kind: "json",
        schema: KeyBinding,
        required: true,
        examples: { bind: { providerId: 3 }, clear: {} },
      },
      errors: [400, 404, 409],
      replies: {
        200: {
          description: "The binding",
          schema: ProviderBinding,
          example: { key: "DEFAULT", providerId: 3, providerName: "our models" },
        },
      },
      run: async ({ params, body }, { org }) => ok(await bindKey(org, kind, params.key.toUpperCase(), body.providerId)),
    }),
  ];
}
