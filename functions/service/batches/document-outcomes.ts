/** How the documents of a run stand, in their order. */
import type { Organization } from "../organizations/organization.ts";
import { type DocumentOutcome, outcomeKey } from "./batch-records.ts";

const PAGE = 1000;

/** Those that were begun; of the others there is nothing. */
export async function* outcomesOf(org: Organization, guid: string, run: number): AsyncGenerator<DocumentOutcome> {
  const { partition, sort: prefix } = outcomeKey(guid, run, "");
  let cursor: string | undefined;
  do {
    const query = { partition, prefix, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await org.records.query<DocumentOutcome>(query);
    for (const { value } of page.items) yield value;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
