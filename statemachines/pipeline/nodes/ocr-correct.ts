/** Corrects recognised text page by page. */
import { readSource, type Template } from "../templates.ts";
import { type NodeKind, readPrompt, readTier, type Tier } from "./node.ts";

export const SOURCE_MAPS = ["preserve", "compress", "none"] as const;
export type SourceMapMode = (typeof SOURCE_MAPS)[number];

export interface OcrCorrectNode {
  readonly type: "OCR_CORRECT";
  /** The text to correct; null: the document's. */
  readonly source: Template | null;
  /** The member in which the source is written. */
  readonly sourceMember: "source" | "input";
  readonly mode: "correction";
  readonly scope: "pagewise";
  readonly sourceMap: SourceMapMode;
  readonly tier: Tier;
  readonly prompt: string | null;
  readonly outputFormat: "plain" | "markdown";
}

const EXPECTED_SECONDS = 15;

export const ocrCorrect: NodeKind<OcrCorrectNode> = {
  computes: false,
  expectedSeconds: () => EXPECTED_SECONDS,
  read(members, { nodeIds }) {
    const found = members.take("source", "input");
    const source = found && readSource(found.value, members.at(found.name), { members, nodeIds });
    const mode = members.oneOf("mode", ["correction"]);
    const scope = members.oneOf("scope", ["pagewise"]);
    return Object.freeze({
      type: "OCR_CORRECT",
      source: source ?? null,
      sourceMember: found?.name === "input" ? "input" : "source",
      mode: mode ?? "correction",
      scope: scope ?? "pagewise",
      sourceMap: members.oneOf("sourceMap", SOURCE_MAPS) ?? "preserve",
      tier: readTier(members) ?? "default",
      prompt: readPrompt(members) ?? null,
      outputFormat: members.oneOf("outputFormat", ["plain", "markdown"]) ?? "plain",
    });
  },
  templates: ({ source, sourceMember }) => (source === null ? [] : [{ member: sourceMember, template: source }]),
};
