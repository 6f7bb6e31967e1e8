/** The parts of a tool call that all tools share. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { SheafClient } from "../index.ts";
import type { LocalFiles } from "./local-files.ts";

/** The work of one connection, or of one request over HTTP: calls of the service with one key. */
export interface Session {
  client: SheafClient;
  /** Files of this machine; absent over HTTP, where a caller may be on another machine. */
  files?: LocalFiles;
}

/**
 * Seconds that a tool waits for a job unless its caller says otherwise. Clients of the protocol give up after 60 s by
 * default, so the answer comes before.
 */
export const DEFAULT_WAIT_SECONDS = 50;
/** Most seconds that a tool waits: twice the service's time for a document. */
export const MAX_WAIT_SECONDS = 600;

/** Tells a caller that asked for it how far a job is; numbers only grow, as the protocol demands. */
export function progressOf({ mcpReq }: ServerContext): ((seconds: number, message: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  return (seconds, message) => {
    const progress = Math.max(Math.round(seconds * 1000) / 1000, last + 0.001);
    last = progress;
    // A caller that is gone needs no progress; its call is cancelled by the signal.
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => {});
  };
}
