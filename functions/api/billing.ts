/** Billing: the balance of prepaid tokens, and its entries. */
import * as z from "zod";
import { resolveMimeType } from "../engine/readers/sniff-media-type.ts";
import { BadRequest, Conflict, UnsupportedMediaType } from "../ports/errors.ts";
import { IMAGE_TYPES, normalizeMediaType, OFFICE_TYPES, PDF, TEXT_TYPES } from "../ports/media-types.ts";
import { entriesCsv, viewEntry } from "../service/billing/entry-view.ts";
import { availableOf } from "../service/billing/ledger-state.ts";
import { takeAllOwed } from "../service/charges/owed-charges.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { withProviders } from "../service/providers/run-providers.ts";
import { type QuotedDocument, quotedDocumentOf, quoteRun } from "../service/runs/estimate-run.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { configured } from "./configured.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { Balance, QuoteReply, QuoteWish, Usage } from "./schemas/billing.ts";
import { runOfUploadCommand, UploadCommand } from "./schemas/commands.ts";
import { enumeration, timeParameter } from "./schemas/common.ts";

const TAG = "Billing";
/** Entries of a page. */
const PAGE_ENTRIES = 100;
/** Bytes of a page where only pages are named. */
const USUAL_PAGE_BYTES = 15_000;
/** Most days of an answer: a year. */
const MAX_DAYS = 366;

/** True where tokens can be bought, or are available. */
const statusOf = ({ config }: Organization, available: number): string =>
  config.billing.mode === "enforced" ? (available > 0 ? "active" : "exhausted") : config.billing.mode;

export const balance = route({
  method: "GET",
  path: "/billing/balance",
  scope: "billing",
  tag: TAG,
  summary: "The balance of prepaid tokens",
  description:
    "What ended runs owe is taken from it before it is answered. `available` is the balance without the tokens that are " +
    "held for open runs: where billing is enforced, work begins while it is above 0.",
  replies: {
    200: {
      description: "The balance",
      schema: Balance,
      example: { organizationId: 1, balance: 48_200, status: "active", held: 1_900, available: 46_300 },
    },
  },
  async run(_input, { org }) {
    await takeAllOwed(org);
    const account = await org.ledger.account();
    const available = availableOf(account);
    const { balance: tokens, held } = account;
    return ok({ organizationId: org.id, balance: tokens, status: statusOf(org, available), held, available });
  },
});

export const usage = route({
  method: "GET",
  path: "/billing/usage",
  scope: "billing",
  tag: TAG,
  summary: "The entries of the balance, newest first, and the tokens of each day",
  description:
    "`from` and `to` are included. A page has up to 100 entries; `cursor` is the `nextCursor` of the page before. `days` " +
    "are those of the time asked for, UTC, the newest 366. With `format=csv` the entries of the page as CSV, its next " +
    "cursor in the header `X-Next-Cursor`.",
  query: z.object({
    from: timeParameter().optional(),
    to: timeParameter().optional(),
    cursor: z.string().max(500).optional(),
    format: enumeration(["json", "csv"]).optional(),
  }),
  errors: [400],
  replies: {
    200: {
      description: "Entries and days",
      schema: Usage,
      contentTypes: ["application/json", "text/csv"],
      headers: { "X-Next-Cursor": { description: "As CSV: the cursor of the next page; absent on the last" } },
    },
  },
  async run({ query }, { org }) {
    const { from, to, cursor, format } = query;
    const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    await takeAllOwed(org);
    const page = await org.ledger.entries({
      ...range,
      limit: PAGE_ENTRIES,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (format === "csv") {
      const headers = page.cursor === undefined ? {} : { "X-Next-Cursor": page.cursor };
      const body = entriesCsv(page.entries);
      return {
        kind: "bytes",
        status: 200,
        body,
        contentType: "text/csv; charset=utf-8",
        fileName: "usage.csv",
        headers,
      };
    }
    const days = await org.ledger.days({ ...range, limit: MAX_DAYS });
    return ok({ entries: page.entries.map(viewEntry), days, nextCursor: page.cursor ?? null });
  },
});

/** @throws UnsupportedMediaType */
function readableType(declared: string = PDF): string {
  const type = normalizeMediaType(declared) ?? PDF;
  if (type === PDF || [IMAGE_TYPES, OFFICE_TYPES, TEXT_TYPES].some((types) => types.has(type))) return type;
  throw new UnsupportedMediaType(`Documents of the type ${declared} are not read`);
}

/** The document that a quote is for: an uploaded one, or one of these sizes. @throws BadRequest, NotFound, Conflict, UnsupportedMediaType */
async function quotedOf(org: Organization, { guid, pages, size, mimeType }: QuoteWish): Promise<QuotedDocument> {
  if (guid !== undefined) {
    const job = (await loadJob(org, guid)).value;
    if (job.upload !== undefined && job.source.sha256 === null) {
      throw new Conflict(`The document of job ${guid} is not there yet; upload it first`);
    }
    return quotedDocumentOf(org, job);
  }
  if (pages === undefined && size === undefined) {
    const errors = [{ path: "/guid", message: "must name an uploaded document, or `pages` or `size` its length" }];
    throw new BadRequest("Invalid body: name a document by guid, or its pages or size", { errors });
  }
  return {
    mimeType: readableType(mimeType),
    size: size ?? (pages ?? 1) * USUAL_PAGE_BYTES,
    pageCount: pages,
  };
}

export const quote = route({
  method: "POST",
  path: "/quotes",
  scope: "read",
  tag: TAG,
  summary: "What processing a document would cost",
  description:
    "Nothing is spent, and nothing is kept. `guid` is an uploaded document, or a batch; without one, `pages` or `size` (bytes) say how " +
    "long it is, and `mimeType` what it is (a PDF when absent). `tokens` is what the run is expected to cost, by the " +
    "rates of now, and `upperBound` the most that it may: what a run holds.",
  body: {
    kind: "json",
    schema: QuoteWish,
    required: true,
    examples: {
      pages: { command: { schema: { total: "number" } }, pages: 12, mimeType: "application/pdf" },
    },
  },
  errors: [400, 404, 409, 415, 422],
  replies: {
    200: {
      description: "The quote",
      schema: QuoteReply,
      example: {
        tokens: 5_060,
        upperBound: 14_200,
        lines: [{ what: "model, tier DEFAULT", unit: "token", quantity: 5_060, tokens: 5_060 }],
      },
    },
  },
  async run({ body }, { org }) {
    const document = await quotedOf(org, body);
    const readAs = (wish: string | undefined) => resolveMimeType(document.mimeType, wish);
    const command = await runOfUploadCommand(org, await configured(org, UploadCommand, body.command ?? {}), readAs);
    return ok(await quoteRun(org, document, await withProviders(org, command)));
  },
});

export const billingRoutes = [balance, usage, quote];
