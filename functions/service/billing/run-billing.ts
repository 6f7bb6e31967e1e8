/** How a run is paid for; fixed when it is opened, and the same for the documents of a batch and a pipeline's operations. */
import type { BillingMode } from "./billing-settings.ts";

export interface RunBilling {
  mode: BillingMode;
  /** Job and run whose hold and budget the run draws on: its own, its batch's or its pipeline's. */
  payer: { guid: string; run: number };
  /** Id of the hold; absent: nothing is held. */
  hold?: string;
  /** Most tokens that the payer's run may use; absent: no limit. */
  allowance?: number;
  /** The command's `tokenBudget`, where that is the limit. */
  capped?: true;
}
