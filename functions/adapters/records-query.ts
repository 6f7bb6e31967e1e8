/** What a query's cursor is bound to, the same in every driver. */
import type { RecordQuery } from "../core/ports.ts";
import type { ListingIdentity } from "./cursor.ts";

export const identityOf = (query: RecordQuery): ListingIdentity => [
  query.partition,
  query.prefix ?? null,
  query.from ?? null,
  query.to ?? null,
  query.descending === true,
];
