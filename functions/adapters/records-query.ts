/** The identity of a query, to which its cursor is bound; the same in all drivers. */
import type { RecordQuery } from "../ports/records.ts";
import type { ListingIdentity } from "./cursor.ts";

export const identityOf = (query: RecordQuery): ListingIdentity => [
  query.partition,
  query.prefix ?? null,
  query.from ?? null,
  query.to ?? null,
  query.descending === true,
];
