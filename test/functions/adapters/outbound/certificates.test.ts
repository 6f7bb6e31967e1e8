/** https: the certificate must match the name, whatever address the name resolved to. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openOutbound } from "../../../../functions/adapters/outbound/guarded.ts";
import { hasOpenssl, makeCertificate } from "../../../cloud/certificate.ts";

const runs = await hasOpenssl();
if (!runs) console.warn("SKIPPED: certificates are not checked here, as there is no openssl to make one with");

describe.skipIf(!runs)("the certificate of an outbound request", () => {
  const directory = mkdtempSync(join(tmpdir(), "sheaf-outbound-"));
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    // For localhost and 127.0.0.1, and trusted by this process.
    const files = await makeCertificate(directory);
    const [cert, key] = [files.certificate, files.key].map((file) => readFileSync(file));
    server = createServer({ ...(cert && { cert }), ...(key && { key }) }, (_request, response) => response.end("here"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true, force: true });
  });

  it("must match the host name", async () => {
    const outbound = openOutbound({ loopback: true, resolve: async () => ["127.0.0.1"] });
    const post = (host: string) => outbound.request(`https://${host}:${port}/`, { method: "POST", headers: {} });
    for (const host of ["localhost", "127.0.0.1"]) expect(await post(host)).toMatchObject({ status: 200 });
    await expect(post("hooks.test")).rejects.toThrow("Its certificate cannot be trusted");
  });
});
