import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBlobs } from "../../functions/adapters/local/blobs.ts";
import { manualClock } from "../support/clock.ts";
import { serveGateway } from "../support/gateway.ts";
import { blobsSuite } from "./blobs.suite.ts";

blobsSuite("files", async () => {
  const root = await mkdtemp(join(tmpdir(), "sheaf-blobs-"));
  const clock = manualClock();
  const presign = { secret: randomBytes(32), baseUrl: () => server.url };
  const open = () => openBlobs(root, { clock, presign });
  const blobs = open();
  const server = await serveGateway(blobs, presign, clock);
  return {
    blobs,
    clock,
    reopen: async () => open(),
    async close() {
      await server.close();
      await rm(root, { recursive: true });
    },
  };
});
