/** Reads files on request in a process of its own, which alone hangs or crashes. */
import { readAsUploaded } from "./corpus-reader.ts";

process.on("message", async (path: string) => {
  process.send?.(await readAsUploaded(path));
});
