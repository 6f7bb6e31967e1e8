/** The whole service with a heartbeat on its thread, for bench/worst-request.ts, which reads it by messages. */
import { Writable } from "node:stream";
import { parseConfig } from "../../bin/local/config.ts";
import { startService } from "../../bin/local/service.ts";

const BEAT_MS = 1;

/** Since the last reading, in milliseconds. */
export interface Heartbeat {
  /** Longest time between two beats that the thread spent computing: for so long it served nobody. */
  blockedMs: number;
  /** Longest time between two beats, other programs of the machine included. */
  gapMs: number;
}

let last = { wall: performance.now(), cpu: cpuMs() };
let longest: Heartbeat = { blockedMs: 0, gapMs: 0 };

/** Time that this thread has computed so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function beat(): void {
  const now = { wall: performance.now(), cpu: cpuMs() };
  longest = {
    blockedMs: Math.max(longest.blockedMs, now.cpu - last.cpu),
    gapMs: Math.max(longest.gapMs, now.wall - last.wall),
  };
  last = now;
}

const log = new Writable({ write: (_chunk, _encoding, done) => done() });
const service = await startService({ config: parseConfig(process.env), log });
setInterval(beat, BEAT_MS);

process.on("message", (message: "read" | "end") => {
  if (message === "end") {
    void service.close(0).then(() => process.exit(0));
    return;
  }
  beat();
  process.send?.(longest);
  longest = { blockedMs: 0, gapMs: 0 };
});
process.send?.({ url: service.url });
