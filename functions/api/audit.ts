/** The audit: every request that may have changed something, newest first. */
import * as z from "zod";
import { auditOf, listEntries } from "../service/audit/audit-log.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { integerParameter, timeParameter } from "./schemas/common.ts";
import { AuditReply } from "./schemas/keys.ts";

/** Entries of a page, and the most that a caller can ask for: some 250 bytes each. */
const PAGE_ENTRIES = 100;
const MAX_PAGE_ENTRIES = 900;

export const auditEntries = route({
  method: "GET",
  path: "/audit",
  scope: "admin",
  tag: "Audit",
  summary: "Who changed what, newest first",
  description:
    "An entry for each request of a method other than GET, whatever its outcome: the caller's key, the route, the ids in " +
    "its path or of what it made, the caller's address and the status; and for each change of keys and quotas by the " +
    "operator (`keyId` is `operator`, `method` ADMIN). It never holds content. `from` and `to` are included; `cursor` is " +
    "the `nextCursor` of the page before. A page covers up to 31 days: one without entries may have a next one. Entries " +
    "are kept for a year, unless the operator sets another time.",
  query: z.object({
    from: timeParameter().optional().describe("The earliest time"),
    to: timeParameter().optional().describe("The latest time"),
    cursor: z.string().max(200).optional(),
    size: integerParameter(1, MAX_PAGE_ENTRIES).optional(),
  }),
  errors: [400],
  replies: {
    200: {
      description: "The entries",
      schema: AuditReply,
      example: {
        entries: [
          {
            at: "2026-11-23T10:00:00.000Z",
            keyId: "Xk2v9QmT4bWc81Rz",
            method: "DELETE",
            path: "/job/{guid}",
            resource: "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11",
            address: "198.51.100.7",
            status: 204,
            replayed: false,
          },
        ],
        nextCursor: null,
      },
    },
  },
  async run({ query }, { org }) {
    const { from, to, cursor, size = PAGE_ENTRIES } = query;
    return ok(await listEntries(auditOf(org), { from, to, cursor, limit: size }));
  },
});

export const auditRoutes = [auditEntries];
