/** Billing: prepaid tokens, their entries, and quotes. */
import { jsonBody } from "./answers.ts";
import { change, compute, postWork, read } from "./calls.ts";
import type { Connection } from "./http.ts";
import type { CallOptions, WorkOptions } from "./options.ts";
import type { UploadCommand } from "./types.ts";

export interface Balance {
  organizationId: number;
  balance: number;
  /** `active`, `exhausted`: billing is enforced, and tokens are available or not; else the mode. */
  status: "active" | "exhausted" | "off" | "record";
  /** Tokens held for open runs. */
  held: number;
  /** The balance without the tokens held. */
  available: number;
}

export interface BillingEntry {
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  kind: "grant" | "hold" | "capture" | "release" | "debit" | "refund" | "adjustment";
  /** Change of the balance. */
  amount: number;
  /** The balance after the entry. */
  balance: number;
  /** Change of the tokens held. */
  held: number;
  /** Tokens that work has used, also where they are only recorded. */
  tokens: number;
  jobGuid?: string;
  run?: number;
  reason: string;
}

export interface BillingUsage {
  /** Newest first. */
  entries: BillingEntry[];
  days: { day: string; tokens: number }[];
  nextCursor: string | null;
}

/** The entries asked for: times in ISO 8601, both included. */
export interface UsageQuery {
  from?: string | undefined;
  to?: string | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

/** A document to quote: an uploaded one, or its length. */
export type QuotedDocument =
  | { guid: string }
  | { pages?: number | undefined; size?: number | undefined; mimeType?: string | undefined };

export interface Quote {
  /** Expected. */
  tokens: number;
  upperBound: number;
  lines: { what: string; unit: "token" | "page"; quantity: number; tokens: number }[];
}

/** A token pack on offer. */
export interface TokenPack {
  priceId: string;
  productId: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** In the currency's smallest unit. */
  unitAmount: number;
  tokensGranted: number;
  nickname: string | null;
}

export interface CheckoutOptions extends WorkOptions {
  /** Packs to buy; default 1. */
  quantity?: number | undefined;
  /** Where the buyer goes after paying, and after giving up; default: the service's own address. */
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

/** Methods throw as SheafClient's do. */
export class BillingCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  balance(options?: CallOptions): Promise<Balance> {
    return read(this.#connection, "/billing/balance", options);
  }

  /** The token packs on offer; empty where payments are not configured. */
  prices(options?: CallOptions): Promise<TokenPack[]> {
    return read(this.#connection, "/billing/prices", options);
  }

  /** Opens a page to buy a pack on. Its tokens are credited when they are paid. */
  checkout(
    priceId: string,
    { signal, idempotencyKey, ...wish }: CheckoutOptions = {},
  ): Promise<{ sessionId: string; checkoutUrl: string }> {
    const body = jsonBody({ priceId, ...wish });
    return postWork(this.#connection, "/billing/checkout", body, { signal, idempotencyKey });
  }

  /** Opens a page with the organization's payments. */
  portal(options?: CallOptions): Promise<{ portalUrl: string }> {
    return change(this.#connection, "POST", "/billing/portal", options);
  }

  /** A page of entries, with the tokens of each day of the time asked for. */
  usage({ from, to, cursor, signal }: CallOptions & UsageQuery = {}): Promise<BillingUsage> {
    return read(this.#connection, "/billing/usage", { signal }, { from, to, cursor });
  }

  /** What processing a document would cost; nothing is spent. */
  quote(document: QuotedDocument, command: UploadCommand = {}, options?: CallOptions): Promise<Quote> {
    return compute(this.#connection, "/quotes", jsonBody({ ...document, command }), options);
  }
}
