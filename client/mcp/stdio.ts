/** Serves one client over standard input and output. */
import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { MAX_BASE64_CHARACTERS } from "./document-input.ts";

/** Characters of a message beside the document in it: a schema, a prompt. */
const MESSAGE_ALLOWANCE = 1_000_000;

export interface StdioStreams {
  input: Readable;
  output: Writable;
}

/** Serves until the client closes its end, or the signal aborts. @throws the signal's reason */
export async function serveOverStdio(
  make: () => McpServer,
  { input, output }: StdioStreams,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  signal.throwIfAborted();
  const transport = new StdioServerTransport(input, output, {
    maxBufferSize: MAX_BASE64_CHARACTERS + MESSAGE_ALLOWANCE,
  });
  const server = serveStdio(make, { transport, onerror: (error) => log(`MCP: ${error.message}`) });
  await new Promise<void>((resolve) => {
    for (const end of ["end", "close"]) input.once(end, () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.close();
  signal.throwIfAborted();
}
