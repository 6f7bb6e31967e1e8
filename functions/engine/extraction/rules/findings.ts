/** Findings on the page, and their source locations: boxes, outlines and references of the words that were read. */

import type { Json } from "../../../ports/json.ts";
import type { Box, Layout } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";
import { meanConfidence } from "../../layout/mean-confidence.ts";
import type { Candidate, PageAnchor, SourceLocation, SourceLocations } from "../../layout/source-locations.ts";
import { pointTo } from "../../schema/json-pointer.ts";
import { leastConfidence, lineRuns, type Token } from "../../structure/view/tokens.ts";

export type Granularity = SourceLocations["granularity"];

/** A value with the words that it was read from. */
export interface Finding {
  value: string | number | boolean;
  tokens: Token[];
  /** 0 to 1. */
  confidence: number;
  /** Computed from several printed values. */
  derived?: boolean;
  /** 0 to 1: certainty of the recognition; absent, that of its least certain word. */
  certainty?: number;
  /** The fields of a PDF's form that hold it, with their places. */
  field?: { ids: string[]; anchors: PageAnchor[] };
  /** Pages of the file before its document, in a file with several documents. */
  pagesBefore?: number;
}

/** A result under construction: every leaf is a finding or has a reason for being none. */
export type ResultNode =
  | { kind: "object"; members: [string, ResultNode][] }
  | { kind: "list"; items: ResultNode[] }
  | { kind: "found"; finding: Finding }
  /** `candidates`: what was found instead of a value. */
  | { kind: "plain"; value: Json; reason: string; candidates?: Finding[] };

/** A null leaf. */
export const nullNode = (reason = "null-value"): ResultNode => ({ kind: "plain", value: null, reason });
/** The leaf of a finding: derived when computed, null with `reason` without one. */
export const findingNode = (finding: Finding | null, reason = "null-value"): ResultNode =>
  finding === null
    ? nullNode(reason)
    : finding.derived === true
      ? { kind: "plain", value: finding.value, reason: "derived" }
      : { kind: "found", finding };

/** Decimal places of coordinates in inches, and of confidences. */
const COORDINATE_PLACES = 4;
const COORDINATE_STEP_INCHES = 1e-4;
const CONFIDENCE_PLACES = 3;

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Rounds outwards, so that a rounded box still holds its words. */
function outwards(value: number, direction: -1 | 1): number {
  const near = round(value, COORDINATE_PLACES);
  return (near - value) * direction >= 0 ? near : round(near + direction * COORDINATE_STEP_INCHES, COORDINATE_PLACES);
}

const widen = (box: Box): Box => ({
  left: outwards(box.left, -1),
  top: outwards(box.top, -1),
  right: outwards(box.right, 1),
  bottom: outwards(box.bottom, 1),
});

const outline = (box: Box): { x: number; y: number }[] => [
  { x: box.left, y: box.top },
  { x: box.right, y: box.top },
  { x: box.right, y: box.bottom },
  { x: box.left, y: box.bottom },
];

function anchorOf(page: number, tokens: readonly Token[], granularity: Granularity): PageAnchor {
  const boxes = tokens.map((token) =>
    granularity === "block" ? unionBox([token.shown.block, token.shown.box]) : token.shown.box,
  );
  const runs =
    granularity === "block" ? [[unionBox(boxes)]] : lineRuns(tokens).map((run) => run.map((token) => token.shown.box));
  return {
    pageNumber: page,
    unit: "inch",
    bbox: widen(unionBox(boxes)),
    polygons: runs.map((run) => outline(widen(unionBox(run)))),
  };
}

/** The source location of a finding. References count words in reading order from 0: `p1/w17`. */
export function locateFinding(finding: Finding, granularity: Granularity): SourceLocation {
  const { pagesBefore = 0 } = finding;
  if (finding.field !== undefined) {
    const confidence = round(Math.max(0, Math.min(1, finding.confidence)), CONFIDENCE_PLACES);
    const { ids } = finding.field;
    const anchors = finding.field.anchors.map((one) => ({ ...one, pageNumber: one.pageNumber + pagesBefore }));
    return { resolution: "acroform-field", sourceRefs: ids, pageAnchors: anchors, confidence };
  }
  const pages = [...new Set(finding.tokens.map((token) => token.page))].sort((a, b) => a - b);
  const certainty = finding.certainty ?? leastConfidence(finding.tokens);
  return {
    resolution: granularity === "block" ? "block" : "word",
    sourceRefs: [...new Set(finding.tokens.map((token) => `p${token.page + pagesBefore}/w${token.index}`))],
    pageAnchors: pages.map((page) =>
      anchorOf(
        page + pagesBefore,
        finding.tokens.filter((token) => token.page === page),
        granularity,
      ),
    ),
    confidence: round(Math.max(0, Math.min(1, finding.confidence * certainty)), CONFIDENCE_PLACES),
  };
}

export interface Extraction {
  result: Json;
  sources: SourceLocations;
  facts: { found: number; unresolved: number; confidence: number | null };
}

function candidateOf(finding: Finding, granularity: Granularity): Candidate {
  const { resolution, sourceRefs, pageAnchors, confidence } = locateFinding(finding, granularity);
  return { value: finding.value, place: { resolution, sourceRefs, pageAnchors }, confidence };
}

/** A tree as JSON, with its evidence: each leaf, empty objects and lists included, is either located or unresolved. */
interface WrittenNode {
  value: Json;
  locations: [string, SourceLocation][];
  unresolved: SourceLocations["unresolved"];
}

/** Writes a tree as JSON. @param top its pointer */
export function writeNode(root: ResultNode, top: string, granularity: Granularity): WrittenNode {
  const locations: WrittenNode["locations"] = [];
  const unresolved: WrittenNode["unresolved"] = [];
  const write = (node: ResultNode, pointer: string): Json => {
    if (node.kind === "found") {
      locations.push([pointer, locateFinding(node.finding, granularity)]);
      return node.finding.value;
    }
    if (node.kind === "plain") {
      const candidates = node.candidates?.map((finding) => candidateOf(finding, granularity));
      unresolved.push({ pointer, reason: node.reason, ...(candidates === undefined ? {} : { candidates }) });
      return node.value;
    }
    const size = node.kind === "list" ? node.items.length : node.members.length;
    if (size === 0) unresolved.push({ pointer, reason: "empty" });
    if (node.kind === "list") return node.items.map((item, index) => write(item, pointTo(pointer, index)));
    // fromEntries defines members, also one named __proto__.
    return Object.fromEntries(node.members.map(([name, member]) => [name, write(member, pointTo(pointer, name))]));
  };
  return { value: write(root, top), locations, unresolved };
}

/** The places of values, and how many were found, with the mean of their confidences. */
export const placesOf = (
  layout: Layout,
  granularity: Granularity,
  { locations, unresolved }: Omit<WrittenNode, "value">,
): Pick<Extraction, "sources" | "facts"> => ({
  sources: {
    version: 1,
    granularity,
    pages: layout.pages.map(({ number, width, height, unit }) => ({ pageNumber: number, width, height, unit })),
    locations: Object.fromEntries(locations),
    unresolved,
  },
  facts: {
    found: locations.length,
    unresolved: unresolved.length,
    confidence: meanConfidence(locations.map(([, location]) => location)),
  },
});

/** The result of a tree, with the places of its leaves. */
export function toExtraction(root: ResultNode, layout: Layout, granularity: Granularity): Extraction {
  const { value: result, ...places } = writeNode(root, "", granularity);
  return { result, ...placesOf(layout, granularity, places) };
}
