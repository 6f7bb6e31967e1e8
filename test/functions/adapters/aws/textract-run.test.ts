/**
 * Whole runs with Textract: the features requested, from the document to the layout, the text and the data with its
 * places.
 */
import { type Block, TextractClient } from "@aws-sdk/client-textract";
import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import { openTextract } from "../../../../functions/adapters/aws/textract.ts";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { parseLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { pageWords } from "../../../../functions/engine/layout/page-words.ts";
import { transcribeTask } from "../../../../functions/engine/tasks/transcribe.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { artifactKey } from "../../../../functions/service/runs/job-records.ts";
import { createJob } from "../../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import type { RunCommand } from "../../../../functions/service/runs/run-command.ts";
import { drawPdf } from "../../../support/drawn-pdf.ts";
import { directEngine } from "../../../support/engines.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { answer, type Request, talkingTo } from "./json-exchange.ts";
import { cell, drawPage, type Place } from "./textract.support.ts";

let at: TestPlatform;
afterEach(() => at.close());

const SCHEMA = {
  type: "object",
  properties: {
    full_name: { type: "string" },
    member: { type: "boolean" },
    newsletter: { type: "boolean" },
  },
};

const around = (left: number, top: number): Place => ({ left, top, right: left + 0.12, bottom: top + 0.12 });

/** A form: a heading, a name in two places, two checkboxes, and a table of checkboxes. */
function drawForm(): Block[] {
  const drawn = drawPage();
  const title = drawn.line("Membership", 1, 0.6);
  const name = drawn.line("Full name:", 1, 1.5);
  const parts = [drawn.line("Ada", 6, 1.8), drawn.line("Lovelace", 7, 1.8)];
  const boxes = [drawn.line("Member", 1.2, 2.5), drawn.line("Newsletter", 1.2, 2.8)];
  const marks = [
    drawn.block("SELECTION_ELEMENT", around(1.02, 2.5), {}, { SelectionStatus: "SELECTED", Confidence: 97.5 }),
    drawn.block("SELECTION_ELEMENT", around(1.02, 2.8), {}, { SelectionStatus: "NOT_SELECTED", Confidence: 88 }),
  ];
  const pair = (label: typeof name, values: { place: Place; words: string[] }[]) => {
    const ids = values.map(({ place, words }) =>
      drawn.block("KEY_VALUE_SET", place, { CHILD: words }, { EntityTypes: ["VALUE"], Confidence: 96 }),
    );
    const more = { EntityTypes: ["KEY" as const], Confidence: 96 };
    drawn.block("KEY_VALUE_SET", label.place, { CHILD: label.words, VALUE: ids }, more);
  };
  pair(name, parts);
  for (const [index, box] of boxes.entries()) {
    pair(box, [{ place: around(1.02, 2.5 + 0.3 * index), words: marks.slice(index, index + 1) }]);
  }
  const days = [drawn.line("Day", 1, 4), drawn.line("Morning", 4, 4)];
  const monday = drawn.line("Monday", 1, 4.4);
  const come = drawn.block("SELECTION_ELEMENT", around(4.3, 4.4), {}, { SelectionStatus: "SELECTED" });
  const cells = [
    ...days.map((line, index) => cell(drawn, [1, index + 1], line, ["COLUMN_HEADER"])),
    cell(drawn, [2, 1], monday),
    cell(drawn, [2, 2], { words: [come], place: around(4.3, 4.4) }),
  ];
  drawn.block("TABLE", { left: 0.9, top: 3.9, right: 6, bottom: 4.7 }, { CHILD: cells });
  drawn.layout("LAYOUT_TITLE", [title.id]);
  drawn.layout(
    "LAYOUT_KEY_VALUE",
    [name, ...parts, ...boxes].map(({ id }) => id),
  );
  drawn.layout(
    "LAYOUT_TABLE",
    [...days, monday].map(({ id }) => id),
  );
  return drawn.blocks;
}

function start(reply: (request: Request) => unknown) {
  const requests: Request[] = [];
  const client = new TextractClient(
    talkingTo((request) => {
      requests.push(request);
      return answer(reply(request));
    }),
  );
  const clock = systemClock();
  const ocr = openTextract({ client, clock, jobTimeoutSeconds: 60, bucket: "documents" });
  at = testPlatform(directEngine, ocr);
  return requests;
}

async function run(bytes: Uint8Array, mimeType: string, change: Partial<RunCommand> = {}) {
  const { org } = at;
  const { guid } = await createJob(org, { bytes, mimeType, fileName: null });
  const command: RunCommand = {
    v: 1,
    mode: "SIMPLE",
    ocr: "PREMIUM",
    mimeType,
    schema: SCHEMA,
    sourceLocations: true,
    granularity: "word",
    format: "plain",
    ...change,
  };
  await openRun(org, guid, command);
  const job = await waitForEnd(org, guid, 20_000);
  expect(job.error).toBeNull();
  const artifact = async (key: string): Promise<Uint8Array> => (await org.blobs.get(key)) ?? new Uint8Array();
  const json = async (name: string) =>
    JSON.parse(Buffer.from(await artifact(artifactKey(guid, 1, name))).toString("utf8"));
  const read = await artifact(job.runs.at(-1)?.layoutKey ?? "");
  const text = async (format: "plain" | "markdown") => {
    const limits = { deadline: Date.now() + 9_000 };
    return Buffer.from(await org.engines.documents.run(transcribeTask, { layout: read, format }, limits)).toString(
      "utf8",
    );
  };
  return { layout: parseLayout(read), json, text };
}

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "white" } })
    .withMetadata({ density: 100 })
    .png()
    .toBuffer();

describe("a scanned form at PREMIUM", () => {
  it("has its checkboxes, fields and tables in the layout, the text and the data", async () => {
    const requests = start(() => ({ DocumentMetadata: { Pages: 1 }, Blocks: drawForm() }));
    const { layout, json, text } = await run(await blank(850, 1100), "image/png");
    expect(requests.map(({ operation }) => operation)).toEqual(["AnalyzeDocument"]);

    const [page] = layout.pages;
    expect(page?.blocks.map(({ kind }) => kind)).toContain("table");
    expect(page?.fields).toHaveLength(3);
    expect(page?.fields?.[0]).toMatchObject({ confidence: 0.96, values: [[{ left: 6 }], [{ left: 7 }]] });
    const plain = await text("plain");
    expect(plain).toContain("☒ Member");
    expect(plain).toContain("☐ Newsletter");
    const markdown = await text("markdown");
    expect(markdown).toContain("# Membership");
    expect(markdown).toContain("- [x] Member");
    expect(markdown).toMatch(/\| Monday +\| ☒ +\|/);

    expect(await json("result.json")).toEqual({ full_name: "Ada Lovelace", member: true, newsletter: false });
    const { locations } = await json("result.sources.json");
    expect(locations["/member"].pageAnchors[0].bbox).toEqual({ left: 1.02, top: 2.5, right: 1.14, bottom: 2.62 });
    expect(locations["/full_name"].pageAnchors[0].bbox).toMatchObject({ left: 6, top: 1.8 });
    for (const pointer of ["/full_name", "/member", "/newsletter"]) {
      expect(locations[pointer].confidence).toBeGreaterThan(0.5);
    }
  });

  it("has its checkboxes, fields and tables among the words of a good text layer", async () => {
    start(() => ({ DocumentMetadata: { Pages: 1 }, Blocks: drawForm() }));
    const typed = [
      ["Membership", 1, 0.7],
      ["Full name:", 1, 1.6],
      ["Ada", 6, 1.9],
      ["Lovelace", 7, 1.9],
      ["Member", 1.2, 2.6],
      ["Newsletter", 1.2, 2.9],
      ["Day", 1, 4.1],
      ["Morning", 4, 4.1],
      ["Monday", 1, 4.5],
    ] as const;
    const pdf = await drawPdf([typed.map(([text, x, y]) => ({ text, x: x * 72, y: 792 - y * 72, size: 10 }))]);
    const { layout, json, text } = await run(pdf, "application/pdf");
    const words = layout.pages.flatMap(pageWords);
    expect(words.filter(({ source }) => source === "ocr").map((word) => word.text)).toEqual(["☒", "☐", "☒"]);
    const markdown = await text("markdown");
    expect(markdown).toContain("- [x] Member");
    expect(markdown).toMatch(/\| Monday +\| ☒ +\|/);
    expect(await json("result.json")).toEqual({ full_name: "Ada Lovelace", member: true, newsletter: false });
    expect(layout.provider).toBe("pdf-text+textract");
  });
});
