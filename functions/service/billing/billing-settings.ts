/** How a deployment bills. */
import type { RateTable } from "./rate.ts";

/**
 * `off`: usage is counted and costs nothing; `record`: its tokens are recorded, and balances stay; `enforced`: work needs
 * tokens and takes them.
 */
export const BILLING_MODES = ["off", "record", "enforced"] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

export interface BillingSettings {
  mode: BillingMode;
  rates: RateTable;
  /** Where tokens are bought, and where payments are managed, for the answer 402; null: not said. */
  checkoutUrl: string | null;
  portalUrl: string | null;
  /**
   * The engines that other functions of the deployment work with: its provider of text recognition, and perhaps a model.
   * Absent: those of this process.
   */
  elsewhere?: { ocr: string };
}

export const BILLING_OFF: BillingSettings = { mode: "off", rates: [], checkoutUrl: null, portalUrl: null };
