/** Runs tasks for the API's handlers: inspecting an upload, drawing a page, reading a PDF's form or definitions of one. */
import { runRemoteTask } from "../../../functions/adapters/aws/remote-engine.ts";
import { run as acroForm } from "../../../functions/engine/tasks/acroform.run.ts";
import { run as formRequest } from "../../../functions/engine/tasks/form-request.run.ts";
import { run as inspect } from "../../../functions/engine/tasks/inspect.run.ts";
import { run as layoutPageImage } from "../../../functions/engine/tasks/layout-page-image.run.ts";
import { run as measure } from "../../../functions/engine/tasks/measure.run.ts";
import { run as pageImage } from "../../../functions/engine/tasks/page-image.run.ts";
import { lazily } from "../environment.ts";
import { openStores } from "../platform.ts";

const TASKS = [inspect, measure, pageImage, layoutPageImage, acroForm, formRequest];
const stores = lazily(() => openStores(process.env));

export const handler = (event: unknown) => runRemoteTask(event, stores().blobs(), TASKS);
