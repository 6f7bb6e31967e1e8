/** Requests and replies of API keys and of the audit. */
import * as z from "zod";
import { SCOPES } from "../../service/organizations/api-keys.ts";
import { enumeration, hasOneOf, integer, timeParameter } from "./common.ts";

const time = z.iso.datetime();
/** Most characters of a key's name: it tells a program or a person. */
const MAX_NAME_CHARACTERS = 100;
/** A month: longer than it takes to put a new key everywhere. */
const MAX_OVERLAP_HOURS = 720;

const name = z.string({ error: "must be a text" }).regex(new RegExp(`^[^\\p{Cc}]{1,${MAX_NAME_CHARACTERS}}$`, "u"), {
  error: `must have 1 to ${MAX_NAME_CHARACTERS} characters, on one line`,
});

export const NewKey = z
  .looseObject({
    name: name.optional(),
    scopes: z
      .array(enumeration(SCOPES), { error: "must be a list of scopes" })
      .min(1, { error: `must name some of ${SCOPES.join(", ")}` })
      .max(SCOPES.length, { error: "must name each scope once" })
      .optional(),
    expiresAt: timeParameter().optional(),
    replaces: z.string({ error: "must be the id of a key" }).min(1).max(64).optional(),
    overlapHours: integer(`must be an integer from 0 to ${MAX_OVERLAP_HOURS}`, 0, MAX_OVERLAP_HOURS).optional(),
  })
  .meta(hasOneOf(["replaces"], ["name", "scopes"]));

const members = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedOn: z.iso.date().nullable(),
};

export const ApiKey = z.looseObject(members).meta({ id: "ApiKey" });
export const NewApiKey = z.looseObject({ ...members, key: z.string() }).meta({ id: "NewApiKey" });

export const AuditReply = z
  .looseObject({
    entries: z.array(
      z.looseObject({
        at: time,
        keyId: z.string(),
        method: z.string(),
        path: z.string(),
        resource: z.string().nullable(),
        address: z.string().nullable(),
        status: z.int().nullable(),
        replayed: z.boolean(),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "Audit" });
