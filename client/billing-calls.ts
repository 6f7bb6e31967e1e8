/** Billing: prepaid tokens, their entries, and quotes. */
import { jsonBody, parseAnswer } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";
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

export interface CheckoutOptions extends CallOptions {
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

  async balance({ signal }: CallOptions = {}): Promise<Balance> {
    return parseAnswer(await this.#connection.send({ method: "GET", path: "/billing/balance", signal }));
  }

  /** The token packs on offer; empty where payments are not configured. */
  async prices({ signal }: CallOptions = {}): Promise<TokenPack[]> {
    return parseAnswer(await this.#connection.send({ method: "GET", path: "/billing/prices", signal }));
  }

  /** Opens a page to buy a pack on. Its tokens are credited when they are paid. */
  async checkout(
    priceId: string,
    { quantity, successUrl, cancelUrl, signal }: CheckoutOptions = {},
  ): Promise<{ sessionId: string; checkoutUrl: string }> {
    const { body, contentType } = jsonBody({ priceId, quantity, successUrl, cancelUrl });
    const content = { content: body, type: contentType };
    return parseAnswer(
      await this.#connection.send({ method: "POST", path: "/billing/checkout", body: content, signal }),
    );
  }

  /** Opens a page with the organization's payments. */
  async portal({ signal }: CallOptions = {}): Promise<{ portalUrl: string }> {
    return parseAnswer(await this.#connection.send({ method: "POST", path: "/billing/portal", signal }));
  }

  /** A page of entries, with the tokens of each day of the time asked for. */
  async usage({ from, to, cursor, signal }: CallOptions & UsageQuery = {}): Promise<BillingUsage> {
    const given = Object.entries({ from, to, cursor }).filter((one): one is [string, string] => one[1] !== undefined);
    const query = Object.fromEntries(given);
    return parseAnswer(await this.#connection.send({ method: "GET", path: "/billing/usage", query, signal }));
  }

  /** What processing a document would cost; nothing is spent. */
  async quote(document: QuotedDocument, command: UploadCommand = {}, { signal }: CallOptions = {}): Promise<Quote> {
    const { body, contentType } = jsonBody({ ...document, command });
    const request = { method: "POST", path: "/quotes", body: { content: body, type: contentType }, signal } as const;
    return parseAnswer(await this.#connection.send(request));
  }
}
