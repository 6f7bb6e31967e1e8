/**
 * The work of operations on layouts and results: bytes in and bytes out, to be run where it is contained. Nothing here
 * asks a model.
 */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { modelContent, type PageContent } from "../extraction/prompts/model-content.ts";
import { parseLayout, writeLayout } from "../layout/layout-file.ts";
import { blockLines } from "../layout/page-words.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import {
  type CorrectedDocument,
  correctPages,
  pagesToCorrect,
  type SourceMapMode,
} from "../ocr/correction/correct-document.ts";
import { projectLayout } from "../ocr/correction/project-layout.ts";
import { type AnalysisInput, analyzeResult } from "./analyze-result.ts";
import type { Analysis } from "./issue.ts";
import { type ListedFigure, listFigures, type RankedFigure, type RankRequest, rankFigures } from "./rank-figures.ts";

interface PartsTask {
  layout: Uint8Array;
  /** Of one part. */
  mostTokens: number;
}

export interface DocumentParts {
  /** All pages in order; one that is too long for a part stands in several, each with its number. */
  parts: PageContent[][];
  pageCount: number;
}

/** Layout, result and sources as UTF-8 JSON. */
interface AnalyzeTask extends Omit<AnalysisInput, "layout" | "result" | "sources"> {
  layout: Uint8Array;
  result: Uint8Array;
  sources?: Uint8Array;
}

interface RankTask extends RankRequest {
  layout: Uint8Array;
  /** `figures.json` of the run that found them. */
  figures: Uint8Array;
}

export interface FigureChoice {
  /** Those that fit, the best first. */
  ranked: RankedFigure[];
  /** Every one of the pages asked for, in the document's order. */
  all: RankedFigure[];
}

interface TextTask {
  layout: Uint8Array;
  /** None of its words is known to be certain: all are to be corrected as recognised ones are. */
  uncertain?: boolean;
}

interface CorrectTask extends TextTask {
  /** Corrected texts of pages by their number. */
  proposals: Record<number, string>;
}

interface MapTask extends CorrectTask {
  sourceMap: SourceMapMode;
}

/** The text, and the layout with that text where it stood before. */
export interface CorrectedLayout extends Pick<CorrectedDocument, "content" | "pages"> {
  layout: Uint8Array;
}

const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString("utf8"));

function parseText({ layout: bytes, uncertain = false }: TextTask): Layout {
  const layout = parseLayout(bytes);
  if (!uncertain) return layout;
  for (const { words } of layout.pages.flatMap(({ blocks }) => blocks.flatMap(blockLines))) {
    for (const word of words) word.source = "ocr";
  }
  return layout;
}

/** A page's text in pieces of at most so many tokens each. */
function piecesOf(page: PageContent, mostTokens: number): PageContent[] {
  if (estimateTokens(page.text) <= mostTokens) return [page];
  const half = page.text.length >> 1;
  // Between two lines, or two words, where there are some.
  const line = page.text.indexOf("\n", half);
  const blank = page.text.indexOf(" ", half);
  const near = [line, blank].find((at) => at > 0 && at < half * 1.5) ?? half;
  if (near <= 0) return [page];
  return [page.text.slice(0, near), page.text.slice(near)].flatMap((text) => piecesOf({ ...page, text }, mostTokens));
}

/** The tasks: functions of one payload, repeatable. */
export const operationTasks = {
  /** A document's text in parts that a model's context holds. */
  async readParts({ layout, mostTokens }: PartsTask): Promise<DocumentParts> {
    const whole = parseLayout(layout);
    const parts: PageContent[][] = [];
    let room = 0;
    for (const page of modelContent(whole).flatMap((one) => piecesOf(one, mostTokens))) {
      const tokens = estimateTokens(page.text) + 20;
      if (parts.length === 0 || tokens > room) {
        parts.push([]);
        room = mostTokens;
      }
      parts.at(-1)?.push(page);
      room -= tokens;
    }
    return { parts, pageCount: whole.pageCount };
  },

  /** The text of pages that recognition read. */
  async pagesToCorrect(task: TextTask): Promise<{ number: number; text: string }[]> {
    return pagesToCorrect(parseText(task));
  },

  async correctPages({ proposals, sourceMap, ...text }: MapTask): Promise<CorrectedDocument> {
    return correctPages(parseText(text), { proposals, sourceMap });
  },

  async correctLayout({ proposals, ...text }: CorrectTask): Promise<CorrectedLayout> {
    const layout = parseText(text);
    const corrected = correctPages(layout, { proposals, sourceMap: "preserve" });
    const { content, pages } = corrected;
    return { content, pages, layout: writeLayout(projectLayout(layout, corrected)) };
  },

  /** Figures by what is said of them. */
  async rankFigures({ layout, figures, ...request }: RankTask): Promise<FigureChoice> {
    const read = parseLayout(layout);
    const { images } = parse(figures) as { images: ListedFigure[] };
    return { ranked: rankFigures(images, read, request), all: listFigures(images, read, request.pages) };
  },

  /** What may be wrong with a result. */
  async analyzeErrors({ layout, result, sources, ...rest }: AnalyzeTask): Promise<Analysis> {
    const known = sources === undefined ? {} : { sources: parse(sources) as SourceLocations };
    return analyzeResult({ layout: parseLayout(layout), result: parse(result) as Json, ...known, ...rest });
  },
};

/** The tasks behind their limits, as operations ask for them. */
export interface OperationWork {
  readParts(task: PartsTask, limits: WorkLimits): Promise<DocumentParts>;
  rankFigures(task: RankTask, limits: WorkLimits): Promise<FigureChoice>;
  pagesToCorrect(task: TextTask, limits: WorkLimits): Promise<{ number: number; text: string }[]>;
  correctPages(task: MapTask, limits: WorkLimits): Promise<CorrectedDocument>;
  correctLayout(task: CorrectTask, limits: WorkLimits): Promise<CorrectedLayout>;
  analyze(task: AnalyzeTask, limits: WorkLimits): Promise<Analysis>;
}
