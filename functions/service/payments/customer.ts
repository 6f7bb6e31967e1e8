/** The organization's customer at the payment provider, known since its first purchase. */
import type { RecordKey } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";

export const CUSTOMER_KEY: RecordKey = { partition: "payments", sort: "customer" };

export async function customerOf({ records }: Pick<Organization, "records">): Promise<string | undefined> {
  const stored = await records.get<{ v: number; customer: string }>(CUSTOMER_KEY);
  return stored?.value.customer;
}
