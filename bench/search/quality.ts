/** The share of questions from the corpus' own sentences whose passage is among the first found. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { openPassageIndexes } from "../../functions/adapters/search/open-indexes.ts";
import { cutPassages } from "../../functions/engine/passages/cut-passages.ts";
import type { Passage } from "../../functions/engine/passages/passage.ts";
import { parsePassage, writePassages } from "../../functions/engine/passages/passage-files.ts";
import { questionTerms } from "../../functions/engine/passages/search-terms.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import type { PassageHit, PassageTerms } from "../../functions/ports/passage-index.ts";
import { canMeasure, corpusFolder, textPdfs } from "../support/corpus.ts";
import { atLeast, type RequirementLine } from "../support/holds.ts";
import { prints, type Question, questionOf, sentencesOf } from "./questions.ts";
import { SEARCH_TOP } from "./size.ts";

const QUESTIONS = 200;
const MIN_FOUND_SHARE = 0.9;
/** Documents of the corpus with sentences that are no PDFs. */
const OTHERS = ["long/azure-sla.docx", "long/openapi-3.1.1.md", "office-templates/used-car-sale-contract.docx"];

interface CorpusPassages {
  terms: PassageTerms[];
  files: Map<string, Uint8Array>;
  /** Sentences of each document, each once. */
  sentences: string[][];
}

async function readCorpus(corpus: string): Promise<CorpusPassages> {
  const found: CorpusPassages = { terms: [], files: new Map(), sentences: [] };
  for (const file of [...(await textPdfs(corpus)), ...OTHERS.map((name) => path.join(corpus, name))]) {
    const bytes = new Uint8Array(await readFile(file));
    const { layout } = await readDocument(bytes, sniffDocument(bytes, undefined, file));
    const passages = cutPassages(layout);
    const { terms, passages: lines } = writePassages(passages);
    found.terms.push({ document: file, terms });
    found.files.set(file, lines);
    found.sentences.push([...new Set(passages.flatMap(sentencesOf))]);
  }
  return found;
}

/** Questions of all documents in turns, spread evenly over each document's sentences. */
function chooseQuestions(sentences: readonly (readonly string[])[]): Question[] {
  const asked = sentences.map((own) => own.flatMap((sentence) => questionOf(sentence) ?? []));
  const chosen: Question[] = [];
  for (let round = 0; chosen.length < QUESTIONS && asked.some((own) => round < own.length); round += 1) {
    // 7,919 is prime: every sentence has its turn once.
    const turn = asked.flatMap((own) => (round < own.length ? [own[(round * 7_919) % own.length]] : []));
    chosen.push(...turn.filter((one) => one !== undefined).slice(0, QUESTIONS - chosen.length));
  }
  return chosen;
}

/** Measures the search over the corpus; nothing, loudly, where it is absent. */
export async function measureQuality(args: string[]): Promise<RequirementLine[]> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return [];
  const { terms, files, sentences } = await readCorpus(corpus);
  const indexes = openPassageIndexes();
  const index = await indexes.update(undefined, { remove: [], add: terms });
  const passageOf = ({ document, start, bytes }: PassageHit): Passage =>
    parsePassage((files.get(document) ?? new Uint8Array()).subarray(start, start + bytes));
  const questions = chooseQuestions(sentences);
  let [first, among] = [0, 0];
  for (const { sentence, asked } of questions) {
    const question = { terms: questionTerms(asked), limit: SEARCH_TOP };
    const hits = (await indexes.search("corpus", async () => index, question)) ?? [];
    const rank = hits.findIndex((hit) => prints(passageOf(hit), sentence));
    if (rank === 0) first += 1;
    if (rank >= 0) among += 1;
    else if (args.includes("--verbose")) console.log(`MISSED "${asked}"\n    of "${sentence}"`);
  }
  await indexes.close();
  const documents = sentences.filter(({ length }) => length > 0).length;
  console.log(`${questions.length} questions from ${documents} documents of the corpus`);
  console.log(`  their passage first  ${(first / questions.length).toFixed(3)}`);
  const enough = {
    name: `${QUESTIONS} questions`,
    ok: questions.length === QUESTIONS,
    found: String(questions.length),
  };
  return [enough, atLeast(`passages among the first ${SEARCH_TOP}`, among / questions.length, MIN_FOUND_SHARE)];
}
