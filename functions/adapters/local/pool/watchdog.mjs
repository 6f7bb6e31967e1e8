/**
 * Watchdog thread of every pooled process. It runs while the main thread spins, and ends the process when the service
 * is
 * gone (a spinning process never notices that its channel closed) or when resident memory exceeds the hard limit (the
 * service watches a lower one, but may be busy at that moment, and cannot sample at all on Windows).
 *
 * Plain JavaScript: stripping types in another thread would cost every process about 20 MB and 40 ms.
 */
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

const { parentPid, hardLimitBytes, memoryMark } = workerData;

function isOrphan() {
  // Elsewhere an orphan gets a new parent at once. Windows keeps the old pid, so there it is looked up.
  if (process.platform !== "win32") return process.ppid !== parentPid;
  try {
    process.kill(parentPid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Tells the service why this process ends: a SIGKILL without the mark came from outside. */
function reportMemory() {
  try {
    writeSync(2, `${memoryMark}\n`);
  } catch {
    // A full pipe; the service saw the memory grow.
  }
}

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > hardLimitBytes;
  if (isTooLarge) reportMemory();
  if (isTooLarge || isOrphan()) process.kill(process.pid, "SIGKILL");
}, 25);

parentPort?.postMessage("watching");
