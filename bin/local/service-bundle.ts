/** The bundle of the service and its document processes. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OpenedBundle, openCodeBundle } from "../../functions/adapters/local/code-bundle/code-bundle.ts";
import { CODE_EXTENSION, CODE_FOLDER, PACKAGE_FOLDER } from "../../functions/adapters/local/code-place.ts";

const SERVICE = "service";
export const ENGINE_PROCESS = "engine-process";
export const OCR_PROCESS = "ocr-process";
export const SEARCH_THREAD = "search-thread";

const moduleFile = (path: string): string => `${path}.${CODE_EXTENSION}`;

/** The module that runs the service. */
export const serviceOf = ({ bundle }: OpenedBundle): string =>
  bundle?.fileOf(SERVICE).href ?? new URL("./run.ts", import.meta.url).href;

/** Folder beside the bundle in which V8 keeps the service's compiled code. */
export const compiledFolderOf = ({ bundle }: OpenedBundle): string | undefined =>
  bundle && fileURLToPath(new URL("./compiled", bundle.fileOf(SERVICE)));

/** Finds the bundle of the code as it is now, or writes it. Never throws. */
export const openServiceBundle = (): Promise<OpenedBundle> =>
  openCodeBundle({
    root: CODE_FOLDER,
    entries: {
      [SERVICE]: moduleFile("bin/local/run"),
      [ENGINE_PROCESS]: moduleFile("functions/adapters/local/engine-process"),
      [OCR_PROCESS]: moduleFile("functions/adapters/local/ocr/ocr-process"),
      [SEARCH_THREAD]: moduleFile("functions/adapters/search/search-thread"),
    },
    scripts: [ENGINE_PROCESS],
    sources: [
      "bin",
      "client",
      "functions",
      "statemachines",
      "package.json",
      "package-lock.json",
      "node_modules/.package-lock.json",
    ],
    // sharp is native; tesseract.js starts a thread from a file; it and onnxruntime-web have their WebAssembly beside themselves.
    external: ["sharp", "tesseract.js", "onnxruntime-web", "esbuild"],
    // The interpreter could call Lambda functions; here every task is a step of this process.
    unused: { "aws-local-stepfunctions": /^@aws-sdk\// },
    // Below the packages that the code loads: what stays outside of a bundle is found from there.
    cache: join(PACKAGE_FOLDER, "node_modules/.cache/sheaf-code"),
  });
