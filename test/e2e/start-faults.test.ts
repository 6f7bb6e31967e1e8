/** A start on a data folder that cannot be used ends with one sentence, and makes nothing anew. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConfigError } from "../../bin/local/config.ts";
import { startLocalService } from "../support/local-service.ts";
import { startTestService } from "../support/service.ts";
import { canMount, openSmallDisk, type SmallDisk } from "../support/small-disk.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const home = mkdtempSync(join(tmpdir(), "sheaf-start-faults-"));
/** A folder with a finished job. */
const used = join(home, "used");
let guid = "";
beforeAll(async () => {
  const service = await startTestService({ dataDir: used });
  guid = (await service.api.processed("Total: 12.00 EUR", { schema: { total: "number" } })).guid;
  await service.close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

let copies = 0;
function copyOfUsed(): string {
  copies += 1;
  const dataDir = join(home, `copy-${copies}`);
  cpSync(used, dataDir, { recursive: true });
  return dataDir;
}

/** The sentence with which a start is refused; the service is closed if it starts. */
async function refusal(dataDir: string): Promise<string> {
  try {
    await (await startLocalService({ dataDir })).close();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(dataDir, "DATA");
    throw error;
  }
  return "started";
}

const namesIn = (dataDir: string): string[] => readdirSync(dataDir, { recursive: true, encoding: "utf8" }).sort();

describe("a start", () => {
  const BACKUP = "put it back from a backup, or set SHEAF_DATA_DIR to an empty folder";
  const EMPTIED = `DATA/records.sqlite is missing or empty, and this folder holds other parts of the data; ${BACKUP}`;
  const records = (dataDir: string): string => join(dataDir, "records.sqlite");
  const edit = (dataDir: string, sql: string): void => {
    using database = new DatabaseSync(records(dataDir));
    database.exec(sql);
  };

  it.each<[string, (dataDir: string) => void, string]>([
    ["a missing database", (dataDir) => rmSync(records(dataDir)), EMPTIED],
    ["an empty database", (dataDir) => truncateSync(records(dataDir)), EMPTIED],
    ["a database without a record", (dataDir) => edit(dataDir, "DELETE FROM records"), EMPTIED],
    [
      "a missing database beside files without a key",
      (dataDir) => {
        rmSync(records(dataDir));
        rmSync(join(dataDir, "server.key"));
      },
      EMPTIED,
    ],
    [
      "a missing database beside a key without files",
      (dataDir) => {
        rmSync(records(dataDir));
        rmSync(join(dataDir, "blobs"), { recursive: true });
      },
      EMPTIED,
    ],
    [
      "a damaged header",
      (dataDir) => writeFileSync(records(dataDir), Buffer.alloc(8192, "x")),
      "DATA/records.sqlite is damaged or is not a database; put it back from a backup",
    ],
    [
      "a damaged page",
      (dataDir) => {
        const bytes = readFileSync(records(dataDir));
        writeFileSync(records(dataDir), bytes.fill(0xa5, 2 * 4096, 5 * 4096));
      },
      `DATA/records.sqlite is damaged; ${BACKUP}`,
    ],
    [
      "another program's database",
      (dataDir) => edit(dataDir, "DROP TABLE records; CREATE TABLE other (n)"),
      "DATA/records.sqlite is not a database of Sheaf, or is damaged; put it back from a backup",
    ],
    [
      "a missing key",
      (dataDir) => rmSync(join(dataDir, "server.key")),
      `DATA/server.key is missing, and the data of this folder is sealed with it; ${BACKUP}`,
    ],
    [
      "a key that was cut off",
      (dataDir) => truncateSync(join(dataDir, "server.key"), 7),
      `DATA/server.key is damaged: it has 7 bytes instead of 32; ${BACKUP}`,
    ],
    [
      "another folder's key",
      (dataDir) => writeFileSync(join(dataDir, "server.key"), Buffer.alloc(32, 7)),
      `DATA/server.key is not the key that the data of this folder is sealed with; ${BACKUP}`,
    ],
  ])("with %s is refused, and changes nothing", async (_name, damage, sentence) => {
    const dataDir = copyOfUsed();
    damage(dataDir);
    const before = namesIn(dataDir);
    expect(await refusal(dataDir)).toBe(sentence);
    // SQLite may add its log; no part of the data appears.
    expect(namesIn(dataDir).filter((name) => !/-(wal|shm|journal)$/.test(name))).toEqual(before);
    expect(await refusal(dataDir)).toBe(sentence);
  });

  it("opens a folder of a release without a fingerprint of the key, and a folder whose first start was cut short", async () => {
    const earlier = copyOfUsed();
    edit(earlier, "DELETE FROM records WHERE partition = 'sys/data-folder'");
    const service = await startTestService({ dataDir: earlier });
    expect((await service.api.get(`/job/result/${guid}`)).json).toEqual({ total: 12 });
    await service.close();
    writeFileSync(join(earlier, "server.key"), Buffer.alloc(32, 7));
    expect(await refusal(earlier)).toMatch(/is not the key/);

    const cut = join(home, "cut-short");
    expect(await refusal(cut)).toBe("started");
    rmSync(join(cut, "server.key"));
    edit(cut, "DELETE FROM records WHERE partition <> 'sys/data-folder'");
    expect(await refusal(cut)).toBe("started");
    expect(readFileSync(join(cut, "server.key"))).toHaveLength(32);
  });
});

describe.skipIf(!canMount())("a start on a disk", () => {
  let disk: SmallDisk;
  afterEach(() => disk.close());

  it("that is full is refused, first or not", async () => {
    disk = openSmallDisk(6);
    const dataDir = join(disk.path, "data");
    disk.fill();
    expect(await refusal(dataDir)).toMatch(/^The disk of the data folder DATA is full; free some space/);
    disk.clear();
    cpSync(used, dataDir, { recursive: true });
    for (const free of [0, 8_192, 40_960]) {
      disk.fill(free);
      expect([free, await refusal(dataDir)]).toEqual([
        free,
        expect.stringMatching(/^The disk of the data folder DATA is full/),
      ]);
      disk.clear();
    }
    expect(await refusal(dataDir)).toBe("started");
  });

  it("that is read-only is refused", async () => {
    disk = openSmallDisk(6);
    const dataDir = join(disk.path, "data");
    cpSync(used, dataDir, { recursive: true });
    disk.lock();
    expect(await refusal(dataDir)).toMatch(/^The data folder DATA cannot be written; let this user write to it/);
    expect(await refusal(join(disk.path, "new"))).toMatch(
      /^The data folder DATA cannot be (written; |made: the disk is read-only; )/,
    );
  });
});

describe("npm start", () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill("SIGKILL"));

  it("refuses a damaged folder with one line and exit code 1", async () => {
    const dataDir = copyOfUsed();
    rmSync(join(dataDir, "server.key"));
    child = spawn(process.execPath, ["--require", "./bin/node-version.cjs", "bin/local.ts"], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? "", SHEAF_DATA_DIR: dataDir, PORT: "0" },
    });
    let printed = "";
    child.stderr?.on("data", (chunk) => {
      printed += chunk;
    });
    expect((await once(child, "close"))[0]).toBe(1);
    expect(printed).toMatch(/^\S+\/server\.key is missing, and [^\n]+\n$/);
    expect(existsSync(join(dataDir, "server.key"))).toBe(false);
  });
});
