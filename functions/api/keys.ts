/** API keys of the organization: made, listed and revoked by its own administrators. */
import * as z from "zod";
import { DEFAULT_OVERLAP_HOURS, MAX_KEYS } from "../service/organizations/issued-keys.ts";
import { json, ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { identifier } from "./schemas/common.ts";
import { ApiKey, NewApiKey, NewKey } from "./schemas/keys.ts";

const TAG = "Keys";

const EXAMPLE = {
  id: "Xk2v9QmT4bWc81Rz",
  name: "billing export",
  scopes: ["read", "billing"],
  createdAt: "2026-11-23T10:00:00.000Z",
  expiresAt: null,
  lastUsedOn: "2026-11-23",
};

export const listKeys = route({
  method: "GET",
  path: "/keys",
  scope: "admin",
  tag: TAG,
  summary: "The organization's API keys",
  description:
    "Oldest first, without the keys themselves, which are not stored. Revoked keys are not listed, and keys that expired " +
    "for 30 days. `lastUsedOn` is a day, UTC; null for a key that was never used. Keys of `SHEAF_API_KEYS` are listed " +
    "under that name.",
  replies: { 200: { description: "The keys", schema: z.array(ApiKey), example: [EXAMPLE] } },
  async run(_input, { org }) {
    return ok(await org.keys.list());
  },
});

export const createKey = route({
  method: "POST",
  path: "/keys",
  scope: "admin",
  tag: TAG,
  summary: "Make an API key",
  description:
    "`key` is shown in this answer only. A key has no scope that the caller's key lacks, and is refused from `expiresAt` " +
    "on. To rotate a key, name it in `replaces`: the new one takes its name and scopes unless they are given, and the old " +
    `one works for \`overlapHours\` more (default ${DEFAULT_OVERLAP_HOURS}; 0: not at all). An organization has up to ` +
    `${MAX_KEYS} keys. The call takes no Idempotency-Key, whose stored answer would hold the key.`,
  body: {
    kind: "json",
    schema: NewKey,
    required: true,
    examples: {
      new: { name: "billing export", scopes: ["read", "billing"], expiresAt: "2027-12-31T00:00:00Z" },
    },
  },
  errors: [400, 404, 409],
  replies: {
    201: {
      description: "The key, shown once",
      schema: NewApiKey,
      example: { ...EXAMPLE, lastUsedOn: null, key: `sheaf_1_${EXAMPLE.id}_<40 characters>` },
    },
  },
  async run({ body }, { caller, org }) {
    const { name, scopes, expiresAt, replaces, overlapHours } = body;
    return json(201, await org.keys.issue({ name, scopes, expiresAt, replaces, overlapHours }, caller.scopes));
  },
});

export const revokeKey = route({
  method: "DELETE",
  path: "/keys/{id}",
  scope: "admin",
  tag: TAG,
  summary: "Revoke an API key",
  description:
    "It is refused everywhere within a second. The last key with the scope `admin` is not revoked: make another one " +
    "first. Keys of `SHEAF_API_KEYS` are changed there.",
  params: z.object({ id: identifier("The key's id") }),
  errors: [404, 409],
  replies: { 204: { description: "It is revoked" } },
  async run({ params }, { org }) {
    await org.keys.revoke(params.id);
    return { kind: "empty" };
  },
});

export const keyRoutes = [listKeys, createKey, revokeKey];
