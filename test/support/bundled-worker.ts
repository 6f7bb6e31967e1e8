/**
 * Main modules and modules of tasks of the tests' processes as one file each: from their sources, each process loads the
 * whole engine for 2 s, or the whole service for 3 s.
 */
import { join } from "node:path";
import { openCodeBundle } from "../../functions/adapters/local/code-bundle/code-bundle.ts";
import { CODE_FOLDER, PACKAGE_FOLDER } from "../../functions/adapters/local/code-place.ts";

/** @param name a module of test/support without its extension @throws Error when it cannot be bundled */
export async function bundledWorker(name: string): Promise<URL> {
  const { bundle, fault } = await openCodeBundle({
    root: CODE_FOLDER,
    entries: { [name]: `test/support/${name}.ts` },
    sources: [
      "bin",
      "client",
      "functions",
      "statemachines",
      "test/support",
      "package.json",
      "node_modules/.package-lock.json",
    ],
    external: ["sharp", "tesseract.js", "onnxruntime-web", "esbuild"],
    unused: { "aws-local-stepfunctions": /^@aws-sdk\// },
    cache: join(PACKAGE_FOLDER, "node_modules/.cache/sheaf-test-workers"),
  });
  if (bundle === undefined) throw new Error(fault);
  return bundle.fileOf(name);
}
