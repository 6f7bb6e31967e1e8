/**
 * Memory that clients hold who begin to send and stop: the growth of the service's resident memory while many
 * connections have each sent a part of a body, and whether another organization is served meanwhile.
 * `npm run bench -- idle-senders [--senders N] [--megabytes N]`.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startLocalService } from "./support/local-service.ts";
import { numberOf } from "./support/options.ts";

const DEFAULT_SENDERS = 50;
const DEFAULT_MEGABYTES = 100;
const KEYS = { sender: "bench-sender-key-1", other: "bench-another-key-2" };
/** Bytes of one write; each sender's share of its body is written in such pieces. */
const PIECE = Buffer.alloc(100_000, "a");
/** The service ends a body after 5 s of silence, and a wait for room after 10 s; memory is read before that and after it. */
const SAMPLES_AFTER_MS = [1_000, 3_000, 16_000];

interface Sender {
  socket: Socket;
  answer: string;
}

/** The kinds of body that a sender begins and does not end. */
const KINDS = {
  "length told, over the limit": (bytes: number) => ({
    key: KEYS.sender,
    head: `Content-Length: ${bytes}`,
    bytes: bytes / 2,
  }),
  "length told, 14.9 MB": () => ({ key: KEYS.sender, head: "Content-Length: 14900000", bytes: 14_500_000 }),
  "in chunks": (bytes: number) => ({
    key: KEYS.sender,
    head: "Transfer-Encoding: chunked",
    bytes: Math.min(bytes / 2, 14_500_000),
  }),
  "in chunks, unknown key": (bytes: number) => ({
    key: "nobody-knows-this-key",
    head: "Transfer-Encoding: chunked",
    bytes: Math.min(bytes / 2, 14_500_000),
  }),
};

function residentMegabytes({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}

/** Sends a body's begin as fast as the service takes it, and then nothing. */
function begin(port: number, { key, head, bytes }: { key: string; head: string; bytes: number }): Sender {
  const socket = connect(port, "127.0.0.1");
  const sender: Sender = { socket, answer: "" };
  const chunked = head.startsWith("Transfer");
  const piece = chunked
    ? Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from("\r\n")])
    : PIECE;
  let sent = 0;
  const write = (): void => {
    while (sent < bytes && !socket.destroyed) {
      sent += PIECE.length;
      if (!socket.write(piece)) return void socket.once("drain", write);
    }
  };
  socket.on("data", (data) => {
    sender.answer += data;
  });
  socket.on("error", () => undefined);
  socket.write(
    `POST /document/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\n${head}\r\n\r\n`,
  );
  write();
  return sender;
}

/** @returns milliseconds of an upload by another organization */
async function uploadMeanwhile(port: number): Promise<string> {
  const body = new FormData();
  body.append("document", new Blob(["Total: 12.50 EUR"]), "bench.txt");
  const headers = { authorization: `Bearer ${KEYS.other}` };
  const begun = performance.now();
  const { status } = await fetch(`http://127.0.0.1:${port}/document/upload`, { method: "POST", headers, body });
  return `${status} in ${(performance.now() - begun).toFixed(0)} ms`;
}

export async function run(args: string[]): Promise<void> {
  const senders = numberOf(args, "--senders", DEFAULT_SENDERS);
  const bytes = numberOf(args, "--megabytes", DEFAULT_MEGABYTES) * 1_000_000;
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the memory of another process is read from /proc, which is Linux's\n");
    return;
  }
  for (const [name, kindOf] of Object.entries(KINDS)) {
    const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-senders-"));
    const keys = `1:${KEYS.sender}:read+write,2:${KEYS.other}:read+write`;
    const { child, url } = await startLocalService(dataDir, keys);
    const port = Number(new URL(url).port);
    try {
      await uploadMeanwhile(port);
      const before = residentMegabytes(child);
      const begun = Array.from({ length: senders }, () => begin(port, kindOf(bytes)));
      const held: string[] = [];
      let meanwhile = "";
      let waited = 0;
      for (const after of SAMPLES_AFTER_MS) {
        await sleep(after - waited);
        waited = after;
        held.push(`${(residentMegabytes(child) - before).toFixed(0)} MB after ${after / 1000} s`);
        if (meanwhile === "") meanwhile = await uploadMeanwhile(port);
      }
      const statuses = begun.map(({ answer }) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? "none");
      const counted = [...new Set(statuses)].map(
        (status) => `${statuses.filter((one) => one === status).length} × ${status}`,
      );
      process.stdout.write(
        `${senders} senders, ${name}: ${held.join(", ")}; answers: ${counted.join(", ")}; another's upload ${meanwhile}\n`,
      );
      for (const { socket } of begun) socket.destroy();
    } finally {
      child.kill("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
}
