/** A self-signed certificate for this machine. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";

const SUBJECT = "DNS:localhost,DNS:*.execute-api.localhost,IP:127.0.0.1";

/** True when openssl is installed. */
export const hasOpenssl = (): Promise<boolean> =>
  promisify(execFile)("openssl", ["version"]).then(
    () => true,
    () => false,
  );

/** @param directory for the two files; this process trusts the certificate from then on */
export async function makeCertificate(directory: string): Promise<{ certificate: string; key: string }> {
  const files = { certificate: join(directory, "localhost.crt"), key: join(directory, "localhost.key") };
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
  const names = ["-addext", `subjectAltName=${SUBJECT}`, "-keyout", files.key, "-out", files.certificate];
  await promisify(execFile)("openssl", [...request.split(" "), ...names]);
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(files.certificate, "utf8")]);
  return files;
}
