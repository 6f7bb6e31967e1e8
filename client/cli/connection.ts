import { SheafClient, type SheafError } from "../index.ts";
import { type Io, UsageError } from "./io.ts";

/** The options that all commands share. */
export interface ConnectionArguments {
  apiUrl?: string;
  token?: string;
  /** Seconds that a service which went away is waited for. */
  reconnect?: number;
}

/** A restart takes a few seconds, and longer while open runs are resumed and a large database is opened. */
export const DEFAULT_RECONNECT_SECONDS = 30;

export const DEFAULT_API_URL = "http://127.0.0.1:3000";
/** The key that the first start on one machine creates. */
const LOCAL_TOKEN = "sheaf-local";

/**
 * Makes the client from the options and the environment.
 * @param answeredBefore true when the arguments name a job, which only a service can have made
 * @throws UsageError
 */
export function connect(io: Io, args: ConnectionArguments, answeredBefore = false): SheafClient {
  const { apiUrl, token } = serviceOf(io, args);
  if (token === undefined) {
    throw new UsageError(`A key for ${apiUrl} is needed: give it with --token, SHEAF_TOKEN or \`sheaf configure\``);
  }
  try {
    const { reconnect: reconnectSeconds = DEFAULT_RECONNECT_SECONDS } = args;
    const told = pausePrinter(io, reconnectSeconds);
    return new SheafClient({ apiUrl, token, fetch: io.fetch, reconnectSeconds, answeredBefore, ...told });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** The service that a command asks, and where its address and key were found. */
export interface ChosenService {
  apiUrl: string;
  token: string | undefined;
  apiUrlFrom: string;
  tokenFrom: string | undefined;
}

const SAVED = "sheaf configure";

/**
 * Chooses the service: options win over the environment, and that over the saved settings. A saved key goes to the saved
 * address only: another service must not learn it.
 * @throws UsageError for spoilt settings
 */
export function serviceOf(io: Io, args: ConnectionArguments): ChosenService {
  const saved = io.saved?.() ?? {};
  const [apiUrl = DEFAULT_API_URL, apiUrlFrom = "the default"] = firstOf(
    [args.apiUrl, "--api-url"],
    [nonEmpty(io.env.SHEAF_API_URL), "SHEAF_API_URL"],
    [saved.apiUrl, SAVED],
  );
  const isSaved = originOf(saved.apiUrl ?? DEFAULT_API_URL) === originOf(apiUrl);
  const [token, tokenFrom] = firstOf(
    [args.token, "--token"],
    [nonEmpty(io.env.SHEAF_TOKEN), "SHEAF_TOKEN"],
    [isSaved ? saved.token : undefined, SAVED],
    [isLoopback(apiUrl) ? LOCAL_TOKEN : undefined, "the default of a service on this machine"],
  );
  return { apiUrl, token, apiUrlFrom, tokenFrom };
}

const firstOf = (...found: [string | undefined, string][]): [string?, string?] =>
  found.find((one): one is [string, string] => one[0] !== undefined) ?? [];

const originOf = (apiUrl: string): string => URL.parse(apiUrl)?.origin ?? apiUrl;

/** The third try of a call waits longer than this; a connection that breaks once is not worth a line. */
const NOTICEABLE_PAUSE_SECONDS = 0.7;

/** Explains pauses that are long enough to notice; the wait for a service that went away is told once. */
function pausePrinter(io: Io, reconnectSeconds: number) {
  let away = false;
  const say = (line: string): void => {
    // Overwrites the progress line, if there is one.
    io.stderr.write(`${io.stderr.isTTY ? "\r" : ""}${line}\n`);
  };
  return {
    onRetry({ message }: SheafError, pause: number, reconnecting: boolean): void {
      if (pause < NOTICEABLE_PAUSE_SECONDS || (reconnecting && away)) return;
      away = reconnecting;
      if (away) say(`${message}; waiting up to ${reconnectSeconds} s for the service to come back`);
      else say(`${message}; trying again in ${Math.ceil(pause)} s`);
    },
    onReconnect(): void {
      if (away) say("The service answers again");
      away = false;
    },
  };
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
