/** Files for spreadsheets: short ones are written at once, long ones in the engine, with the same bytes. */
import { afterEach, expect, it } from "vitest";
import type { Engine } from "../../../../functions/ports/engine.ts";
import { UnprocessableEntity } from "../../../../functions/ports/errors.ts";
import { openBatchRun } from "../../../../functions/service/batches/batch-runs.ts";
import { findTable } from "../../../../functions/service/lifecycle/views/table-files.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { directEngine } from "../../../support/engines.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { batchOf, COMMAND, read } from "../batches/support.ts";

let at: TestPlatform;
afterEach(() => at.close());

it("a long table is a task of the engine, and equals one that is written at once", async () => {
  at = testPlatform({ read });
  const guid = await batchOf(at.org, ["a", "bad", "c"]);
  await openBatchRun(at.org, guid, COMMAND, {});
  await waitForEnd(at.org, guid, 20);
  const engine = directEngine;
  const tasks: string[] = [];
  const documents: Engine = {
    ...engine,
    run: (task, payload, limits) => {
      tasks.push(task.name);
      return engine.run(task, payload, limits);
    },
  };
  const csvFrom = async (inlineTableBytes: number): Promise<string> => {
    const { config, engines } = at.org;
    const org = { ...at.org, config: { ...config, inlineTableBytes }, engines: { ...engines, documents } };
    const { blob } = await findTable(org, guid, "csv");
    return Buffer.from((await org.blobs.get(blob.key)) ?? []).toString("utf8");
  };
  const short = await csvFrom(10_000);
  expect(tasks).toEqual([]);
  expect(short).toBe(
    "source,message,a\r\na.txt,,1\r\nbad.txt,Processing failed: Text extraction failed,\r\nc.txt,,1\r\n",
  );
  expect(await csvFrom(10)).toBe(short);
  expect(tasks).toEqual(["writeTables"]);
});

it("a task that is lost is refused with what to do instead", async () => {
  at = testPlatform();
  const { writeTablesTask } = await import("../../../../functions/engine/tasks/write-tables.ts");
  expect(writeTablesTask.lost?.("deadline")).toBeInstanceOf(UnprocessableEntity);
  expect(writeTablesTask.lost?.("deadline").message).toMatch(/^The table could not be written: .*; read the result/);
});
