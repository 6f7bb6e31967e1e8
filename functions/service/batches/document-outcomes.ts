/** How the documents of a run stand, in their order. */
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { type DocumentOutcome, outcomeKey } from "./batch-records.ts";

const PAGE = 1000;

/** Those that were begun; of the others there is nothing. */
export async function* outcomesOf(org: Organization, guid: string, run: number): AsyncGenerator<DocumentOutcome> {
  const { partition, sort: prefix } = outcomeKey(guid, run, "");
  const query = { partition, prefix, limit: PAGE };
  for await (const { value } of queryAll<DocumentOutcome>(org.records, query)) yield value;
}
