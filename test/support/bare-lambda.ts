/** Processes like Lambda's: a bundle, Node, environment variables, and nothing else of this project. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const DRIVER = fileURLToPath(new URL("./bare-lambda.mjs", import.meta.url));

/** The result of a handler; Lambda reports a thrown error like this. */
export type Outcome = { answer: unknown; wasm: number[] } | { errorType: string; errorMessage: string; stack: string };

export interface BareLambda {
  /** CPU milliseconds until Node's first line, and from there until the bundle was imported. */
  took: { bare: number; init: number };
  invoke(event: unknown): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * @param folder a copy of the bundle, outside the project @param environment the whole environment of the process
 * @throws Error with the output of the process when the bundle cannot be imported
 */
export async function startBareLambda(folder: string, environment: Record<string, string>): Promise<BareLambda> {
  const child = spawn(process.execPath, [DRIVER, `${folder}/index.mjs`], {
    cwd: folder,
    env: { NODE_OPTIONS: "--enable-source-maps", ...environment },
    stdio: ["pipe", "ignore", "pipe"],
  });
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  const exited = once(child, "exit");
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The process ended");
    try {
      return JSON.parse(value);
    } catch {
      const said: string[] = [value];
      for (let more = await lines.next(); !more.done; more = await lines.next()) said.push(more.value);
      throw new Error(`The process said:\n${said.join("\n")}`);
    }
  };
  const took = (await next()) as BareLambda["took"];
  return {
    took,
    async invoke(event) {
      child.stdin.write(`${JSON.stringify(event)}\n`);
      return (await next()) as Outcome;
    },
    async close() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
