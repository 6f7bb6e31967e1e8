/** A local address for a deployed API, whose host name no DNS knows: forwards requests under that name. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";

/** @param host the API's own name, with the port @returns its local URL */
export async function startFront(emulator: string, host: string): Promise<{ url: string; close(): Promise<void> }> {
  const { protocol, hostname, port } = new URL(emulator);
  const send = protocol === "https:" ? httpsRequest : httpRequest;
  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, host };
    const outgoing = send({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.on("error", (error) => response.destroy(error));
    incoming.pipe(outgoing);
  };
  const server = createServer(pass);
  // A test that renders for longer than the default 5 s would send its next request on a closed connection.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server has a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
