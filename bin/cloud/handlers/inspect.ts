/** Looks at documents, invoked by the API's handlers: at an upload, and at a page to be seen. */
import { inspectRemotely } from "../../../functions/adapters/aws/inspection.ts";
import { extrasTasks } from "../../../functions/engine/tasks/extras.ts";
import { pictureTasks } from "../../../functions/engine/tasks/pictures.ts";
import { readingTasks } from "../../../functions/engine/tasks/reading.ts";
import { lazily } from "../environment.ts";
import { openStores } from "../platform.ts";

const stores = lazily(() => openStores(process.env));

export const handler = (event: unknown) =>
  inspectRemotely(event, stores().blobs(), {
    inspect: (bytes, mimeType) => readingTasks.inspect({ bytes, mimeType }),
    acroForm: (bytes) => extrasTasks.acroForm({ bytes }),
    pageImage: (bytes, options) => pictureTasks.pageImage({ bytes, options }),
  });
