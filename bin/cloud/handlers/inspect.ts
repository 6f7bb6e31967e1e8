/** The first look at an upload, invoked by the API's handlers. */
import { inspectRemotely } from "../../../functions/adapters/aws/inspection.ts";
import { documentTasks } from "../../../functions/core/documents/engine.ts";
import { lazily } from "../environment.ts";
import { openStores } from "../platform.ts";

const stores = lazily(() => openStores(process.env));

export const handler = (event: unknown) =>
  inspectRemotely(event, stores().blobs(), (bytes, mimeType) => documentTasks.inspect({ bytes, mimeType }));
