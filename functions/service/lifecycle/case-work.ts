/** The queue's work on cases. */
import type { Json } from "../../ports/json.ts";
import { takeCaseUpload } from "../cases/case-uploads.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { finishCaseDeletion } from "./delete-case.ts";

interface CaseItem {
  kind: string;
  guid?: Json;
}

function textOf({ kind, guid }: CaseItem): string {
  if (typeof guid !== "string" || guid === "") throw new TypeError(`Work of the kind ${kind} names its object`);
  return guid;
}

/** Does a part of a case's deletion, and leaves the rest to the next one. @param id the case's, as text */
export async function sweepCaseDeletion(org: Organization, id: string): Promise<void> {
  if (!(await finishCaseDeletion(org, Number(id)))) await enqueue(org, { kind: "delete-case", guid: id });
}

/** Work handlers by kind. */
export const caseWork = {
  "delete-case": async (org: Organization, item: CaseItem): Promise<Json> => {
    await sweepCaseDeletion(org, textOf(item));
    return null;
  },
  "case-upload": async (org: Organization, item: CaseItem): Promise<Json> => {
    await takeCaseUpload(org, textOf(item));
    return null;
  },
};
