/**
 * Thread in which tesseract.js recognises. Its own thread script would look for language data in one folder, and
 * download missing data; here data come from the languages' packages only.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { type CoreFactory, withWordsOnly } from "./core-words.ts";
import { languageFile } from "./language-data.ts";

interface WorkerScript {
  dispatchHandlers(packet: unknown, send: (message: unknown) => void): void;
  setAdapter(adapter: Record<string, unknown>): void;
}

const require = createRequire(import.meta.url);
const script = require("tesseract.js/src/worker-script/index.js") as WorkerScript;

const getCore = require("tesseract.js/src/worker-script/node/getCore.js") as (
  ...args: unknown[]
) => Promise<CoreFactory>;

const refuse = (): Promise<never> => Promise.reject(new Error("Language data come from packages only"));

script.setAdapter({
  getCore: async (...args: unknown[]) => withWordsOnly(await getCore(...args)),
  gunzip: gunzipSync,
  fetch: refuse,
  /** @param file `FOLDER/LANGUAGE.traineddata.gz` with any folder */
  readCache: (file: string) => readFile(languageFile(path.basename(file, ".traineddata.gz"))),
  writeCache: refuse,
  deleteCache: refuse,
  checkCache: () => Promise.resolve(false),
});

parentPort?.on("message", (packet: unknown) =>
  script.dispatchHandlers(packet, (message) => parentPort?.postMessage(message)),
);
