/** The files of an operation, among its parent's. */
import type { Organization } from "../organizations/organization.ts";
import { operationFileKey } from "../runs/job-records.ts";
import type { OperationFiles } from "./operation.ts";

/** Opens the files of the operation with a GUID. */
export const operationFiles = (org: Organization, parent: string, guid: string): OperationFiles => ({
  get: (name) => org.blobs.get(operationFileKey(parent, guid, name)),
  put: async (name, bytes, contentType = "application/json") => {
    const key = operationFileKey(parent, guid, name);
    await org.blobs.put(key, bytes, { contentType });
    return key;
  },
});
