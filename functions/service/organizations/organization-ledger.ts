import type { Clock } from "../../ports/clock.ts";
import type { Records } from "../../ports/records.ts";
import { type Ledger, openLedger } from "../billing/ledger.ts";
import { type OrgOperation, organizationRecords } from "./organization-records.ts";

/** The ledger of an organization in a store. */
export const ledgerOf = (
  store: Records,
  organizationId: number,
  clock: Pick<Clock, "now" | "sleep" | "guid">,
): Ledger<OrgOperation> =>
  openLedger({ store, organizationId, records: organizationRecords(store, organizationId), clock });
