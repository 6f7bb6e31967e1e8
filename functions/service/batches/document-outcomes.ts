/** Outcomes of a run's documents, in their order. */
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { type DocumentOutcome, outcomeKey } from "./batch-records.ts";

const PAGE_SIZE = 1000;

/** Loads the outcomes of the documents that were begun. */
export async function* loadDocumentOutcomes(
  org: Organization,
  guid: string,
  run: number,
): AsyncGenerator<DocumentOutcome> {
  const { partition, sort: prefix } = outcomeKey(guid, run, "");
  const query = { partition, prefix, limit: PAGE_SIZE };
  for await (const { value } of queryAll<DocumentOutcome>(org.records, query)) yield value;
}
