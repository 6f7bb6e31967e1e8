/** The queue's work on templates. */
import type { Json } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { deleteTemplateData } from "./delete-template-data.ts";
import { detectQueued } from "./detect-fields.ts";
import { deleteFilled } from "./filled-files.ts";

interface TemplateItem {
  kind: string;
  guid?: Json;
}

const onGuid =
  (work: (org: Organization, guid: string) => Promise<void>) =>
  async (org: Organization, { kind, guid }: TemplateItem): Promise<Json> => {
    if (typeof guid !== "string" || guid === "") throw new TypeError(`Work of the kind ${kind} names a GUID`);
    await work(org, guid);
    return null;
  };

/** Work handlers by kind. */
export const templateWork = {
  "detect-fields": onGuid(detectQueued),
  "delete-template": onGuid(deleteTemplateData),
  "delete-filled": onGuid(deleteFilled),
};
