import { SheafClient, type SheafError } from "../index.ts";
import { type Io, UsageError } from "./io.ts";

/** The options that all commands share. */
export interface ConnectionArguments {
  apiUrl?: string;
  token?: string;
}

export const DEFAULT_API_URL = "http://127.0.0.1:3000";
/** The key that the first start on one machine creates. */
const LOCAL_TOKEN = "sheaf-local";

/** Makes the client from the options and the environment. @throws UsageError */
export function connect(io: Io, args: ConnectionArguments): SheafClient {
  const apiUrl = args.apiUrl ?? nonEmpty(io.env.SHEAF_API_URL) ?? DEFAULT_API_URL;
  const token = args.token ?? nonEmpty(io.env.SHEAF_TOKEN) ?? (isLoopback(apiUrl) ? LOCAL_TOKEN : undefined);
  if (token === undefined) throw new UsageError(`A key for ${apiUrl} is needed: give it with --token or SHEAF_TOKEN`);
  try {
    return new SheafClient({ apiUrl, token, fetch: io.fetch, onRetry: (error, pause) => printPause(io, error, pause) });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Explains a pause that is long enough to notice. */
function printPause(io: Io, { message }: SheafError, pause: number): void {
  if (pause < 1) return;
  // Overwrites the progress line, if there is one.
  const start = io.stderr.isTTY ? "\r" : "";
  io.stderr.write(`${start}${message}; trying again in ${Math.ceil(pause)} s\n`);
}

const nonEmpty = (value: string | undefined): string | undefined => (value === "" ? undefined : value);

/** True for addresses of this machine (RFC 6890 for 127.0.0.0/8 and ::1, RFC 6761 for localhost). */
function isLoopback(apiUrl: string): boolean {
  const host = URL.parse(apiUrl)?.hostname ?? "";
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** The command that waits for a job of the same service and prints the same; a key is not repeated. */
export function waitCommand(args: ConnectionArguments & { sourceLocations?: boolean }, guid: string): string {
  const service = args.apiUrl === undefined ? "" : ` --api-url ${args.apiUrl}`;
  return `sheaf${service} wait ${guid}${args.sourceLocations === true ? " --source-locations" : ""}`;
}
