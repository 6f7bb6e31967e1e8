import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LocalBlobs } from "../../functions/adapters/local/blobs.ts";
import { createBlobGateway } from "../../functions/adapters/local/blobs-gateway.ts";
import type { BlobPresign } from "../../functions/adapters/local/blobs-presign.ts";
import type { Clock } from "../../functions/ports/clock.ts";

/** The blob gateway behind a local server on a free port; 404 for other paths, 500 for its errors. */
export async function serveGateway(
  blobs: LocalBlobs,
  presign: BlobPresign,
  clock: Pick<Clock, "now">,
  silenceMs?: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const gateway = createBlobGateway(blobs, presign, clock, silenceMs);
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    gateway(request, response).then(
      (own) => own || response.writeHead(404).end("not the gateway's"),
      // An answer that has begun cannot become an error any more.
      () => (response.headersSent ? response.destroy() : response.writeHead(500).end()),
    );
  };
  const server = createServer(serve).on("checkContinue", serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
