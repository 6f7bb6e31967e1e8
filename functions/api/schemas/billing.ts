/** Requests and replies of the billing routes. */
import * as z from "zod";
import { BILLING_MODES } from "../../service/billing/billing-settings.ts";
import { ENTRY_KINDS } from "../../service/billing/entry.ts";
import { UploadCommand } from "./commands.ts";
import { guidOf, integer } from "./common.ts";

/** `active`, `exhausted`: billing is enforced, and tokens are available or not; else the mode. */
const BALANCE_STATUSES = ["active", "exhausted", ...BILLING_MODES.filter((mode) => mode !== "enforced")] as const;

export const Balance = z
  .looseObject({
    organizationId: z.int(),
    balance: z.int().describe("Prepaid tokens; below 0 only by a refund or a dispute"),
    status: z.enum(BALANCE_STATUSES).describe("active or exhausted where billing is enforced; else record or off"),
    held: z.int().describe("Tokens held for open runs"),
    available: z.int().describe("The balance without the tokens held"),
  })
  .meta({ id: "Balance" });

export const UsageEntry = z.looseObject({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(ENTRY_KINDS),
  amount: z.int().describe("Change of the balance: the balance is the sum of them"),
  balance: z.int().describe("The balance after the entry"),
  held: z.int().describe("Change of the tokens held"),
  tokens: z.int().describe("Tokens that work has used, also where they are only recorded"),
  jobGuid: z.string().optional(),
  run: z.int().optional(),
  reason: z.string(),
});

export const Usage = z
  .looseObject({
    entries: z.array(UsageEntry),
    days: z.array(z.looseObject({ day: z.iso.date(), tokens: z.int() })),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "BillingUsage" });

const MAX_PAGES = 100_000;

export const QuoteWish = z.looseObject({
  command: UploadCommand.optional(),
  guid: guidOf("The uploaded document's job").optional(),
  pages: integer(`must be a whole number of pages from 1 to ${MAX_PAGES}`, 1, MAX_PAGES)
    .optional()
    .describe("How many pages the document has"),
  size: integer("must be a whole number of bytes from 1", 1).optional().describe("Bytes of the document"),
  mimeType: z.string({ error: "must be a media type" }).max(255).optional(),
});
export type QuoteWish = z.output<typeof QuoteWish>;

export const QuoteReply = z
  .looseObject({
    tokens: z.int().describe("Expected"),
    upperBound: z.int().describe("Never exceeded"),
    lines: z.array(
      z.looseObject({ what: z.string(), unit: z.enum(["token", "page"]), quantity: z.int(), tokens: z.int() }),
    ),
  })
  .meta({ id: "Quote" });
