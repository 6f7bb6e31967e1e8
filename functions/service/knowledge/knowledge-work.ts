/** The queue's work on knowledge bases. */
import type { Json } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { followQueued } from "./follow-documents.ts";

/** Work handlers by kind. */
export const knowledgeWork = {
  "index-knowledge": async (org: Organization, { guid }: { kind: string; guid?: Json }): Promise<Json> => {
    if (typeof guid !== "string" || guid === "") throw new TypeError("Work on a knowledge base names its due record");
    await followQueued(org, guid);
    return null;
  },
};
