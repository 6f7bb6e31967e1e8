/** A process that reads the files it is told to; what hangs or crashes costs this process only. */
import { readAsUploaded } from "./corpus-reader.ts";

process.on("message", async (path: string) => {
  process.send?.(await readAsUploaded(path));
});
