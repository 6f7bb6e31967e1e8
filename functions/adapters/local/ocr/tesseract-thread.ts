/**
 * The thread in which tesseract.js recognises. Its own would look for language data in one folder, and on the network
 * when it finds none; here data come from the languages' packages, and there is no other way to get them.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { dataFile } from "./languages.ts";

interface WorkerScript {
  dispatchHandlers(packet: unknown, send: (message: unknown) => void): void;
  setAdapter(adapter: Record<string, unknown>): void;
}

const require = createRequire(import.meta.url);
const script = require("tesseract.js/src/worker-script/index.js") as WorkerScript;

const refuse = (): Promise<never> => Promise.reject(new Error("Language data come from packages only"));

script.setAdapter({
  getCore: require("tesseract.js/src/worker-script/node/getCore.js"),
  gunzip: gunzipSync,
  fetch: refuse,
  /** @param file `FOLDER/LANGUAGE.traineddata.gz`, whatever the folder */
  readCache: (file: string) => readFile(dataFile(path.basename(file, ".traineddata.gz"))),
  writeCache: refuse,
  deleteCache: refuse,
  checkCache: () => Promise.resolve(false),
});

parentPort?.on("message", (packet: unknown) =>
  script.dispatchHandlers(packet, (message) => parentPort?.postMessage(message)),
);
