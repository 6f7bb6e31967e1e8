/** `sheaf mcp`: the service's tools for assistants, by the Model Context Protocol. */
import { type Command, InvalidArgumentError } from "commander";
import { type SheafClient, SheafError } from "../index.ts";
import type { HttpServer } from "../mcp/http.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { fileReason } from "./file-reasons.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";

export interface McpArguments extends ConnectionArguments {
  http?: number;
  host: string;
  allowedHost?: string[];
  folder?: string[];
}

/** Addresses that only this machine reaches. */
const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|::1)$/;

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** True when the service knows the client's key. @throws SheafError */
async function isKnown(client: SheafClient): Promise<boolean> {
  try {
    await client.me();
    return true;
  } catch (error) {
    if (error instanceof SheafError && error.status === 401) return false;
    throw error;
  }
}

async function overHttp(io: Io, args: McpArguments & { http: number }, version: string): Promise<number> {
  const { http: port, host, allowedHost: allowedHosts = [] } = args;
  if (args.folder !== undefined) throw new UsageError("--folder goes without --http, over which no file is read");
  if (args.token !== undefined) throw new UsageError("--token goes without --http, where each request has its key");
  if (!LOOPBACK.test(host) && allowedHosts.length === 0) {
    throw new UsageError(`--host ${host} needs --allowed-host with the name by which clients call this server`);
  }
  const clientFor = (token: string) => connect(io, { ...args, token });
  clientFor("any"); // the address is checked before the start
  const { serveOverHttp } = await import("../mcp/http.ts");
  const { makeServer } = await import("../mcp/server.ts");
  const log = (line: string): void => io.stderr.write(`${line}\n`);
  let server: HttpServer;
  try {
    const make = (key: string) => makeServer({ client: clientFor(key) }, { version, log });
    server = await serveOverHttp({ port, host, allowedHosts, make, knows: (key) => isKnown(clientFor(key)), log });
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const reason = isTaken ? "the port is in use" : fileReason(error);
    throw new UsageError(`The server cannot listen on ${host}, port ${port}: ${reason}`);
  }
  io.stderr.write(`MCP is served at ${server.url}; Ctrl-C ends it\n`);
  await untilAborted(io.signal);
  await server.close();
  return EXIT_CODES.success;
}

async function overStdio(io: Io, args: McpArguments, version: string): Promise<number> {
  if (args.allowedHost !== undefined) throw new UsageError("--allowed-host is of --http");
  const client = connect(io, args);
  const { FileRefused, LocalFiles } = await import("../mcp/local-files.ts");
  const { makeServer } = await import("../mcp/server.ts");
  const { serveOverStdio } = await import("../mcp/stdio.ts");
  const files = await LocalFiles.below(args.folder ?? ["."]).catch((error) => {
    throw error instanceof FileRefused ? new UsageError(error.message) : error;
  });
  const log = (line: string): void => io.stderr.write(`${line}\n`);
  const make = () => makeServer({ client, files }, { version, log });
  await serveOverStdio(make, { input: process.stdin, output: process.stdout }, io.signal, log);
  return EXIT_CODES.success;
}

/** Serves until the client is gone or a signal comes. @returns the exit code */
export function run(io: Io, args: McpArguments, version: string): Promise<number> {
  const { http, ...rest } = args;
  return http === undefined ? overStdio(io, rest, version) : overHttp(io, { ...rest, http }, version);
}

function parsePort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw new InvalidArgumentError("It is a port, 0 to 65535.");
  return Number(value);
}

const add = (value: string, before: string[] = []): string[] => [...before, value];

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("mcp")
    .description("serve the tools process, ocr, fill, status and search to an assistant (Model Context Protocol)")
    .option("--folder <path>", "a folder whose files the tools read and write (may be given again; default: .)", add)
    .option("--http <port>", "serve over HTTP instead of standard input and output", parsePort)
    .option("--host <address>", "with --http: the address to listen on", "127.0.0.1")
    .option("--allowed-host <name>", "with --http: another name of this server (may be given again)", add)
    .action((_options: unknown, command: Command) =>
      perform((io) => run(io, command.optsWithGlobals<McpArguments>(), program.version() ?? "")),
    );
}
