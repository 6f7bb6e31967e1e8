/**
 * Tasks of the pooled engine processes. A process loads and uses everything slow to load before it reports ready: a
 * process that cannot read this test page must not get a customer's document.
 */
import { run as inspect } from "../../engine/tasks/inspect.run.ts";
import { loadTasks } from "./load-tasks.ts";
import type { PoolTasks } from "./pool/protocol.ts";

/** One blank letter page. The reader rebuilds the missing cross-reference table. */
const BLANK_PAGE = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>> endobj
trailer <</Root 1 0 R>>
%%EOF
`;

const loaded = await loadTasks();

await inspect.run({ bytes: new TextEncoder().encode(BLANK_PAGE), mimeType: "application/pdf" });

export const tasks: PoolTasks = Object.fromEntries(
  [...loaded.values()].map((task) => [task.name, (payload: never) => task.run(payload)]),
);
