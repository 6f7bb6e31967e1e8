/** Tools that a model may ask for while it extracts. They read, and change nothing. */
import { BadRequest } from "../../ports/errors.ts";
import type { ToolBox } from "../../ports/tools.ts";

/** Where there are no cases: each that is named is unknown. */
export const emptyToolBox: ToolBox = {
  async check(_organization, wishes) {
    const errors = wishes.map(({ caseId }, at) => ({
      path: `/tools/${at}/config/caseId`,
      message: `must be a case that is a knowledge base; there is no case ${caseId}`,
    }));
    const [first] = wishes;
    if (first === undefined) return;
    throw new BadRequest(`There is no case ${first.caseId} to search; make it a knowledge base first`, { errors });
  },
  open: async () => [],
};
