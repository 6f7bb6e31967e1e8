/** The knowledge bases that a command names. Functions of requests carry this file, so it imports little. */
import { BadRequest } from "../../ports/errors.ts";
import type { ToolRequest } from "../../ports/tools.ts";
import { type CaseRecord, caseKey } from "../cases/case-records.ts";
import type { Organization } from "../organizations/organization.ts";

/** @throws BadRequest naming each request for a case that is unknown in this organization, or no knowledge base */
export async function checkToolRequests(org: Organization, requests: readonly ToolRequest[]): Promise<void> {
  if (org.engines.tools !== undefined) return org.engines.tools.check(org.id, requests);
  const cases = await Promise.all(requests.map(({ caseId }) => org.records.get<CaseRecord>(caseKey(caseId))));
  const unknown = requests.flatMap(({ caseId }, at) => (cases[at]?.value.isKnowledgeBase ? [] : [{ caseId, at }]));
  const [first] = unknown;
  if (first === undefined) return;
  const errors = unknown.map(({ caseId, at }) => ({
    path: `/tools/${at}/config/caseId`,
    message: `must be a case that is a knowledge base; there is no case ${caseId}`,
  }));
  throw new BadRequest(`There is no case ${first.caseId} to search; make it a knowledge base first`, { errors });
}
