/**
 * Runs the tasks of templates for the API's handler and the work queue, reading a form and filling it; and for the queue
 * that of knowledge bases, cutting a document into passages.
 */
import { runRemoteTask } from "../../../functions/adapters/aws/remote-engine.ts";
import { run as passages } from "../../../functions/engine/tasks/passages.run.ts";
import { run as fields } from "../../../functions/engine/tasks/template-fields.run.ts";
import { run as fill } from "../../../functions/engine/tasks/template-fill.run.ts";
import { run as request } from "../../../functions/engine/tasks/template-request.run.ts";
import { lazily } from "../environment.ts";
import { openStores } from "../platform.ts";

const stores = lazily(() => openStores(process.env));

export const handler = (event: unknown) => runRemoteTask(event, stores().blobs(), [fields, request, fill, passages]);
