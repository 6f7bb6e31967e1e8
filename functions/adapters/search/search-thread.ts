/** Main module of the thread that searches and updates indexes. */
import { parentPort } from "node:worker_threads";
import { openPassageIndexes, type ThreadAnswer, type ThreadRequest } from "./open-indexes.ts";

const indexes = openPassageIndexes();

/** Thrown by a search whose index is not open, when its bytes were not sent along. */
class BytesWanted extends Error {}

async function answer(request: ThreadRequest): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    if (request.kind === "update") return { id, value: await indexes.update(request.index, request.change) };
    const load = async (): Promise<Uint8Array> => {
      if (request.bytes === undefined) throw new BytesWanted();
      return request.bytes;
    };
    return { id, value: await indexes.search(request.name, load, request.question) };
  } catch (error) {
    if (error instanceof BytesWanted) return { id, wants: "bytes" };
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (request: ThreadRequest) => {
  void answer(request).then((done) => parentPort?.postMessage(done));
});
