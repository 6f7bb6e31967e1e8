/** `npm start`: the service on this machine, from its bundle. */
import "./local/file-threads.ts";
import { enableCompileCache, flushCompileCache } from "node:module";
import { compiledFolderOf, openServiceBundle, serviceOf } from "./local/service-bundle.ts";

// Stacks name the sources, not the bundle.
process.setSourceMapsEnabled(true);
const opened = await openServiceBundle();
const compiled = compiledFolderOf(opened);
if (compiled !== undefined) enableCompileCache(compiled);
const { runService } = (await import(serviceOf(opened))) as typeof import("./local/run.ts");
await runService(opened);
// Kept now, because a process that is killed keeps nothing.
flushCompileCache();
