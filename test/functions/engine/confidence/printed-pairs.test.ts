import { expect, it } from "vitest";
import { run as extract } from "../../../../functions/engine/tasks/extract.run.ts";
import { run as read } from "../../../../functions/engine/tasks/read.run.ts";
import { parseJsonBytes } from "../../../../functions/ports/json.ts";

it("a pair of label and value is given as it is printed, however short", async () => {
  const { layout } = await read.run({ bytes: Buffer.from("Total: 5"), options: { mimeType: "text/plain" } });
  const { result } = await extract.run({ layout, request: { granularity: "auto" } });
  expect(parseJsonBytes(result)).toMatchObject({ key_values: { Total: "5" } });
});
