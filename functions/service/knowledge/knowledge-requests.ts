/** The knowledge bases that a command names. */
import { BadRequest, NotFound } from "../../ports/errors.ts";
import type { ToolRequest } from "../../ports/tools.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadKnowledgeBase } from "./knowledge-bases.ts";

const isKnown = async (org: Organization, caseId: number): Promise<boolean> => {
  try {
    await loadKnowledgeBase(org, caseId);
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
};

/** @throws BadRequest naming each request for a case that is unknown in this organization, or no knowledge base */
export async function checkToolRequests(org: Organization, requests: readonly ToolRequest[]): Promise<void> {
  if (org.engines.tools !== undefined) return org.engines.tools.check(org.id, requests);
  const known = await Promise.all(requests.map(({ caseId }) => isKnown(org, caseId)));
  const errors = requests.flatMap(({ caseId }, at) =>
    known[at] === true
      ? []
      : [
          {
            path: `/tools/${at}/config/caseId`,
            message: `must be a case that is a knowledge base; there is no case ${caseId} that is one`,
          },
        ],
  );
  const unknown = requests[known.indexOf(false)];
  if (unknown === undefined) return;
  throw new BadRequest(`There is no case ${unknown.caseId} to search; make it a knowledge base first`, { errors });
}
