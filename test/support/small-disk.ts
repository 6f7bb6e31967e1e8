/** Disks of a few megabytes, and read-only ones, for tests as root on Linux. */
import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  path: string;
  /** Fills the disk up to this number of free bytes. */
  fill(freeBytes?: number): void;
  /** Makes room again. */
  clear(): void;
  /** Makes the disk read-only. */
  lock(): void;
  close(): void;
}

const mount = (...args: string[]): void => void execFileSync("mount", args, { stdio: "ignore" });

/** Mounts a disk of its own in memory. @throws Error where that is not allowed */
export function openSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "sheaf-disk-"));
  try {
    mount("-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  const balloon = join(path, "balloon");
  return {
    path,
    fill(freeBytes = 0) {
      const handle = openSync(balloon, "a");
      try {
        for (let size = 65_536; size >= 512; size = size / 2) {
          try {
            for (;;) {
              const { bavail, bsize } = statfsSync(path);
              if (bavail * bsize - size < freeBytes) break;
              writeSync(handle, Buffer.alloc(size));
            }
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
          }
        }
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
    },
    clear: () => rmSync(balloon, { force: true }),
    lock: () => mount("-o", "remount,ro", path),
    close() {
      // A process that was just killed may hold it for a moment: `-l` lets go when it is gone.
      execFileSync("umount", ["-l", path], { stdio: "ignore" });
      rmdirSync(path);
    },
  };
}

/** True where `openSmallDisk` works; otherwise it says so once. */
export function canMount(): boolean {
  try {
    openSmallDisk(1).close();
    return true;
  } catch {
    console.warn("No disk can be mounted here (Linux and root are needed): tests of full disks are skipped");
    return false;
  }
}
