/** The tools of a deployment without cases. */
import { BadRequest } from "../../ports/errors.ts";
import type { ToolBox } from "../../ports/tools.ts";

/** A tool box without cases: every named case is unknown. */
export const emptyToolBox: ToolBox = {
  async check(_organization, requests) {
    const errors = requests.map(({ caseId }, at) => ({
      path: `/tools/${at}/config/caseId`,
      message: `must be a case that is a knowledge base; there is no case ${caseId}`,
    }));
    const [first] = requests;
    if (first === undefined) return;
    throw new BadRequest(`There is no case ${first.caseId} to search; make it a knowledge base first`, { errors });
  },
  open: async () => [],
};
