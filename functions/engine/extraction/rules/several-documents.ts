/**
 * Tells where another document begins inside of a file: a bill with a number and a title of its own behind another
 * bill or a letter, and a letter behind a closed letter or a bill. The pages of one document state one number.
 */
import type { Layout } from "../../../ports/layout.ts";
import type { Segment } from "../../structure/view/tokens.ts";
import { isCodeWord } from "../../values/codes.ts";
import { foldText } from "../../values/text-folding.ts";
import { BILL_TITLE, isProperLabel } from "../document-type/bill.ts";
import { SALUTATION } from "../document-type/titled-kind.ts";
import type { DocumentContext } from "./document-context.ts";
import { nullNode, type ResultNode } from "./findings.ts";
import { CLOSING } from "./front-page.ts";
import { zonesOf } from "./value-candidates.ts";

/** Longer files are books and reports, or batches that a splitter parts. */
const MAX_PAGES = 60;
/** A document's title, greeting and number stand in this top part of its first page. */
const HEAD_SHARE = 0.6;
const MAX_TITLE_WORDS = 6;
const MAX_GREETING_WORDS = 8;

interface PageHead {
  /** Numbers behind the labels of a bill's number in the head of the page, and all words of the page. */
  numbers: Set<string>;
  words: ReadonlySet<string>;
  hasTitle: boolean;
  isGreeting: boolean;
  isClosing: boolean;
}

const codeOf = (text: string): string => text.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, "").toUpperCase();

/** The codes right behind the labels of a bill's number. */
function numbersOn(page: number, isHead: (segment: Segment) => boolean, context: DocumentContext): Set<string> {
  const hits = (context.labels.byConcept.get("invoice-number") ?? []).filter(
    (hit) => hit.segment.page === page && isHead(hit.segment) && hit.strength === 1 && isProperLabel(hit),
  );
  const codes = hits.flatMap((hit) =>
    zonesOf(hit, context.view, context.labels, "value")
      .slice(0, 1)
      .flatMap(({ segment, start, end }) => segment.text.slice(start, end).trim().split(/\s/).slice(0, 1)),
  );
  return new Set(codes.filter((code) => isCodeWord(code) && /\d{2}/.test(code)).map(codeOf));
}

function headOf(page: number, context: DocumentContext): PageHead {
  const view = context.view.pages[page - 1];
  const segments = view?.rows.flatMap((row) => row.segments) ?? [];
  const isHead = ({ box }: Segment): boolean => box.top < (view?.height ?? 0) * HEAD_SHARE;
  const head = segments.filter(isHead);
  return {
    numbers: numbersOn(page, isHead, context),
    words: new Set(segments.flatMap(({ tokens }) => tokens.map(({ text }) => codeOf(text)))),
    hasTitle: head.some(
      ({ tokens, text }) => tokens.length <= MAX_TITLE_WORDS && BILL_TITLE.test(foldText(text)) && !/[,;]$/.test(text),
    ),
    isGreeting: head.some(
      ({ tokens, text }) => tokens.length <= MAX_GREETING_WORDS && SALUTATION.test(foldText(text).trim()),
    ),
    isClosing: segments.some(({ text }) => CLOSING.test(foldText(text).trim())),
  };
}

/** A page begins another document than the pages before it. */
function begins(head: PageHead, before: readonly PageHead[]): boolean {
  const numbers = new Set(before.flatMap((one) => [...one.numbers]));
  const isClosed = before.some(({ isClosing }) => isClosing);
  const isKnown = [...head.numbers].some((number) => numbers.has(number));
  if (head.numbers.size > 0 && head.hasTitle && !isKnown) {
    const isNamed = [...head.numbers].some((number) => before.some(({ words }) => words.has(number)));
    return (numbers.size > 0 && !isNamed) || (isClosed && before.some(({ isGreeting }) => isGreeting));
  }
  const isBill = numbers.size > 0 && before.some(({ hasTitle }) => hasTitle);
  return (
    head.isGreeting && (isClosed || (isBill && head.isClosing && ![...numbers].some((one) => head.words.has(one))))
  );
}

/** The first pages of the documents of a file, from 1; one for a file with a single document. */
export function documentStarts(context: DocumentContext): number[] {
  const starts = [1];
  const { length } = context.view.pages;
  if (length < 2 || length > MAX_PAGES) return starts;
  let before = [headOf(1, context)];
  for (let page = 2; page <= length; page += 1) {
    const head = headOf(page, context);
    if (begins(head, before)) {
      starts.push(page);
      before = [];
    }
    before.push(head);
  }
  return starts;
}

/** A document of a file, with its pages numbered from 1, and the number of pages before it. */
export interface FilePart {
  layout: Layout;
  pagesBefore: number;
}

/** The documents of a file, each a layout of its own. */
export const documentsOf = (layout: Layout, starts: readonly number[]): FilePart[] =>
  starts.map((start, at) => ({
    layout: {
      ...layout,
      pages: layout.pages
        .slice(start - 1, (starts[at + 1] ?? layout.pages.length + 1) - 1)
        .map((page, index) => ({ ...page, number: index + 1 })),
    },
    pagesBefore: start - 1,
  }));

/** Reason of a value that is null because the file holds several documents, which state different ones. */
export const SEVERAL_DOCUMENTS = "several-documents";

/** One document answers this many times as many properties as any other: it is the one that the schema asks for. */
const MIN_LEAD = 2;

/** The node of one document with its pages counted in the whole file. */
export const nodeInFile = (node: ResultNode, pagesBefore: number): ResultNode =>
  node.kind === "found" ? { kind: "found", finding: { ...node.finding, pagesBefore } } : node;

const isAnswer = (node: ResultNode | undefined): boolean =>
  node !== undefined && (node.kind === "found" || (node.kind === "plain" && node.value !== null));

const answerIn = (node: ResultNode): unknown =>
  node.kind === "found" ? node.finding.value : node.kind === "plain" ? node.value : undefined;

/** The answers of each document of a file. */
export interface DocumentAnswers {
  /** The nodes of each document, by the property's pointer. */
  nodes: readonly ReadonlyMap<string, ResultNode>[];
  /** Number of the document that the schema asks for; -1 for none. */
  leader: number;
}

/** Joins the answers of a file's documents. */
export function documentAnswers(nodes: readonly ReadonlyMap<string, ResultNode>[]): DocumentAnswers {
  const counts = nodes.map((own) => [...own.values()].filter(isAnswer).length);
  const most = Math.max(...counts);
  const others = counts.filter((count) => count < most);
  const leads = others.length === counts.length - 1 && others.every((count) => count * MIN_LEAD <= most);
  return { nodes, leader: leads ? counts.indexOf(most) : -1 };
}

/**
 * One node for a property out of those of each document: of the document that the schema asks for, or the value that
 * all documents state. Otherwise null, with what each states as a candidate: no result is a mix of documents.
 */
export function joinedNode(pointer: string, { nodes: answers, leader }: DocumentAnswers): ResultNode {
  const nodes = answers.map((own) => own.get(pointer) ?? nullNode());
  const isLed = leader >= 0;
  const own = nodes[leader];
  if (own !== undefined && isAnswer(own)) return own;
  const found = nodes.filter(isAnswer);
  const [first] = found;
  if (first === undefined) return nodes[0] ?? nullNode();
  if (!isLed && found.length === nodes.length && found.every((node) => answerIn(node) === answerIn(first)))
    return first;
  const candidates = found.flatMap((node) => (node.kind === "found" ? [node.finding] : []));
  return { kind: "plain", value: null, reason: SEVERAL_DOCUMENTS, candidates };
}
