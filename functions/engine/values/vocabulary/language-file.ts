/**
 * A language file: the words of one language that documents are read by. Which members are optional says which of them
 * a language may have nothing for; absent is said by leaving the member out. Unless a member says otherwise, its words
 * are compared folded (lower case, no accents), so a file has them in their usual spelling; "patterns" may use the signs
 * that `word-patterns.ts` explains.
 */
import * as z from "zod";
import { DOCUMENT_CONCEPTS, ITEM_CONCEPTS } from "./concepts.ts";
import { KIND_WORDINGS, TITLED_KINDS } from "./document-kinds.ts";
import { STATED_CONCEPTS } from "./stated-concepts.ts";

const isUnique = (list: readonly string[]): boolean => new Set(list).size === list.length;

const word = z.string().regex(/^\S(?:.*\S)?$/u, "must be a word without spaces around it");
/** A list of words. */
const words = z.array(word).min(1, "must not be empty; leave it out instead").refine(isUnique, "has a word twice");

const letters = z.strictObject({
  /** Letters that stand for no other one, where at least one letter in a hundred is such; all in one text. Read by `confidence/unrecognised-letters`. */
  own: z.string().min(1),
  /** Spellings that no word of the language has, and recognition gives for its own letters: `ii` for `ü`. Read by `confidence/unrecognised-letters`. */
  misread: words.optional(),
});

const grammar = z.strictObject({
  /** Words that carry grammar, with their accents; they tell the language, and searches leave them out. Read by `values/language`, `passages/search-terms`. */
  stopWords: words,
  /** Words that invoices, forms and lists have instead, with their accents; they tell the language too. Read by `values/language`. */
  businessWords: words,
  /** A few hundred words that nearly every document has, with their accents; they tell text from noise. Read by `ocr/quality`, `ocr/correction`. */
  lexicon: words,
  /** Words without meaning in a label: `date of issue` is `issue date`. Read by `values/label-words`. */
  fillers: words,
  /** Articles that a description of a property begins with. Read by `extraction/rules/field-meaning`. */
  articles: words,
  /** Patterns of words between a subject and what it is. Read by `extraction/rules/defined-terms`. */
  copulas: words.optional(),
  /** Words before the parties of a contract. Read by `extraction/rules/defined-terms`. */
  between: words.optional(),
  /** Words of a name that say that it is measured, not what: `number of members`. Read by `extraction/rules/sentence-values`. */
  measures: words.optional(),
  /** `and`, where it parts what is asked for. Read by `analysis/rank-figures`, `extraction/describe`. */
  and: words.optional(),
  /** Patterns of words between a name and its role: `Anna Berg as chair`. Read by `extraction/rules/appositions`. */
  as: words.optional(),
  /** Prepositions between a kind of document, or a body, and its name, which they leave as it is. Read by `extraction/rules/document-organization`. */
  of: words.optional(),
  /** Patterns of words that join two words, as in `pre- and postwar`; not folded. Read by `structure/layout-text`. */
  conjunctions: words,
  /** Words that go on with a label (`Total for`), with their accents. Read by `extraction/rules/find-labels`. */
  prepositions: words,
  /** Endings that a stem is without. Read by `values/stems`. */
  endings: words,
  /** Words that ask for a figure, or join words, and say nothing of what it shows; not folded. Read by `analysis/rank-figures`. */
  emptyWords: words.optional(),
});

const labels = z.strictObject({
  /** Words for "number" in a label: all are the same there. Read by `values/label-words`. */
  numberWords: words,
  /** Those with a point that stand right before a number (`Nr.12`). Read by `structure/view/page-tokens`. */
  numberSigns: words.optional(),
  /** Ends of compounds that mean "number": `Rechnungsnummer`. Read by `values/label-words`. */
  numberEndings: words.optional(),
  /** Last parts of compounds that mean what they mean alone (`Schlussrechnung`: `rechnung`), with the first parts that make another word (`Abrechnung`). Read by `values/label-words`. */
  compounds: z.record(word, words).optional(),
  /** Words that are labels only alone or before a colon, as `labelKey` spells them. Read by `extraction/rules/find-labels`. */
  standalone: words,
  /** Labels that as names of properties mean too many things, as `labelKey` spells them. Read by `vocabulary`. */
  notNames: words.optional(),
  /** Ends of compounds that head a column, by concept: `Stückpreis` is a `unit-price`. Read by `extraction/rules/items/heading-meanings`. */
  columnEndings: z.partialRecord(z.enum(ITEM_CONCEPTS.map(({ id }) => id).concat("item-number")), words).optional(),
});

const numbers = z.strictObject({
  /** Patterns of words behind a number that multiply it; not folded. Read by `grounding/printed-numbers`. */
  thousand: words.optional(),
  million: words,
  billion: words.optional(),
  /** Patterns of the numbers from one to twelve in words, in their order. Read by `values/periods`, `prompts/plain-limits`. */
  cardinals: z.array(word).length(12, "must have the numbers from one to twelve"),
  /** Patterns of further numbers in periods: `thirty days`. Read by `values/periods`. */
  counts: words.optional(),
});

const answers = z.strictObject({
  /** Words of a field with a yes or no. Read by `values/booleans`. */
  yes: words,
  no: words,
  /** Words in the label of a place to sign, and of a place for a date. Read by `forms/detect`. */
  signature: words,
  date: words,
  /** Patterns of words in names of properties that ask for a period, and for a time of day. Read by `extraction/rules/field-meaning`, `extraction/rules/told-values`. */
  period: words,
  time: words,
  /** Words in names of properties that ask where a document is from, and words for documents and for signing them. Read by `extraction/rules/datelines`. */
  place: words.optional(),
  document: words.optional(),
  /** Words in names of properties that ask for the first and the last day of a time. Read by `extraction/rules/date-ranges`. */
  first: words.optional(),
  last: words.optional(),
  /** Patterns of what stands in a column of figures for nothing; not folded. Read by `structure/tables/figure-cells`. */
  nothing: words.optional(),
  /** Patterns of what stands for a value that is not known; not folded. Read by `completeness/cell-kinds`. */
  unknown: words.optional(),
});

const dates = z.strictObject({
  /** The twelve months, January first, each with its full name and abbreviations. Read by `values/dates`. */
  months: z.array(words).length(12, "must have twelve months"),
  /** Ends of a day's number: `1st`, `1er`. Read by `values/dates`, `grounding/printed-dates`. */
  ordinals: words.optional(),
  /** Words between day, month and year: `5 de marzo de 2018`. Read by `values/dates`. */
  of: words.optional(),
  /** Patterns of days, weeks, months and years, in their order. Read by `values/periods`. */
  units: z.array(word).length(4, "must have days, weeks, months and years"),
  /** Words between the two dates of a period. Read by `grounding/printed-dates`. */
  until: words,
  /** Patterns of words between a document's number and its date: `Rechnung 12 vom 3.4.2020`; not folded. Read by `extraction/rules/title-lines`. */
  before: words.optional(),
  /** Words between a place and the date of a letter: `Berlin, den 3.4.2020`; not folded. Read by `extraction/rules/unlabelled-values`. */
  afterPlace: words.optional(),
  /** Patterns of words before the date of a form's edition, which is not the document's. Read by `extraction/rules/unlabelled-values`. */
  edition: words.optional(),
});

const parties = z.strictObject({
  /** Patterns of legal forms in a company's name, as they are written. Read by `values/party-names`. */
  legalForms: words,
  /** The same in a letterhead in capitals, where nothing else is written so. Read by `values/party-names`. */
  legalFormsInCapitals: words.optional(),
  /** Patterns of words that a street's name has or ends with; not folded. Read by `values/party-names`. */
  streets: words,
  /** Patterns of words before the number of a P.O. box; not folded. Read by `values/party-names`. */
  postBoxes: words,
  /** Patterns of forms of address before a name; not folded. Read by `values/party-names`. */
  salutations: words,
  /** Forms of address behind a recipient's name. Read by `extraction/rules/parties/party-headings`. */
  honorifics: words.optional(),
  /** Patterns of labels of a tax number, a phone, an account, which no name has or is followed by. Read by `values/party-names`. */
  particulars: words.optional(),
  /** Such labels that a name has nowhere, and only that. Read by `values/party-names`. */
  particularsAnywhere: words.optional(),
  /** Such labels that begin what follows a name, and only that. Read by `values/party-names`. */
  particularsFirst: words.optional(),
  /** Names of countries as the last line of an address. Read by `values/party-names`. */
  countries: words,
  /** Labels of a name within a party's section. Read by `extraction/rules/parties/party-headings`. */
  nameLabels: words,
  /** Patterns of words in the names of institutions, which no person's name has. Read by `extraction/rules/front-page`. */
  institutions: words.optional(),
  /** Patterns of nouns for bodies, which are part of their names: `University of Leeds`. Read by `extraction/rules/front-page`. */
  bodies: words.optional(),
  /** Words before the names of authors. Read by `extraction/rules/front-page`. */
  bylines: words.optional(),
  /** Mailboxes that any company may have: `info@`. Read by `extraction/rules/parties/issuer`. */
  mailboxes: words.optional(),
});

const layout = z.strictObject({
  /** Patterns of labels that begin captions: `Figure 3:`; not folded. Read by `structure/caption-labels`. */
  captions: words,
  /** Patterns of labels that begin captions of pictures, and of tables; not folded. Read by `structure/figures/figure-captions`. */
  figures: words,
  tables: words,
  /** Patterns of words before a heading's number: `Chapter 2`; not folded. Read by `structure/headings`. */
  headings: words.optional(),
  /** Names that programs give to pictures that nobody described: `Picture 3`; not folded. Read by `readers/figures/office-pictures`. */
  pictureNames: words,
  /** Patterns of the names of Word's style for captions, and of its styles for headings; not folded. Read by `readers/figures/office-pictures`, `readers/office/docx/docx-styles`. */
  captionStyles: words,
  headingStyles: words,
});

const totals = z.strictObject({
  /** Words that say that a row is a sum, and those that may stand beside them. Read by `completeness/subtotal-rows`. */
  sums: words,
  besideSums: words,
  /** Patterns of words before a tax that say that an amount is without it, and with it. Read by `extraction/rules/field-meaning`. */
  withoutTax: words,
  withTax: words.optional(),
  /** Taxes that are charged on a sale, and the words before them: `without the VAT`. Read by `extraction/rules/field-meaning`. */
  taxes: words,
  beforeTaxes: words.optional(),
  /** Patterns of statements that no tax is charged. Read by `extraction/rules/amounts/totals`. */
  exempt: words,
  /** Patterns of the label of a net price within a cell. Read by `extraction/rules/items/read-grid`. */
  netPrices: words,
});

/** Words of a request for some of a list's rows: `only the first five items`. All are read by `prompts/plain-limits`. */
const limits = z.strictObject({
  only: words,
  first: words,
  last: words,
  /** Words before a greatest number. */
  most: words,
  /** Nouns for the rows of a list, in singular and plural. */
  rows: words,
  pages: words,
  /** Words between the first and the last page. */
  to: words,
  /** Verbs and small words that change nothing. */
  beside: words,
});

const documents = z.strictObject({
  /** Patterns of words that title a document, by its kind. Read by `extraction/document-type/titled-kind`. */
  titles: z.partialRecord(z.enum(TITLED_KINDS), words),
  /** Words that title it only if nothing else is in the title, by its kind. Read by `extraction/document-type/titled-kind`. */
  loneTitles: z.partialRecord(z.enum(TITLED_KINDS), words).optional(),
  /** Patterns of words in titles of bills and of what goes with them. Read by `extraction/document-type/bill`. */
  bills: words,
  /** Patterns of headings that are no party's name, and of what such headings begin with. Read by `values/party-names`. */
  headlines: words,
  headlineBeginnings: words,
  /** Patterns of what letters begin with. Read by `extraction/document-type/titled-kind`. */
  greetings: words,
  /** Patterns of the words that close letters. Read by `extraction/rules/front-page`. */
  closings: words.optional(),
  /** Phrases of each kind of document, by what they say: a thing counts once. Read by `extraction/document-type/document-type`. */
  wordings: z
    .strictObject(
      Object.fromEntries(
        Object.entries(KIND_WORDINGS).map(([kind, things]) => [
          kind,
          z.partialRecord(z.enum(things), words).optional(),
        ]),
      ),
    )
    .optional(),
});

/** Patterns of what a document says of another one: the invoice that a credit note is for. All are read by `extraction/rules/referenced-document`. */
const references = z.strictObject({
  /** Words for an invoice, with their compounds. */
  invoices: words,
  /** Words between what refers and the invoice: `credit for your invoice`. */
  smallWords: words,
  /** Verbs and nouns that take another invoice back or replace it. */
  corrects: words,
  corrections: words.optional(),
  /** Words before an invoice that refer to it, and behind it. */
  refersTo: words,
  referredTo: words.optional(),
  /** Compounds that do both: `Ursprungsrechnung`. */
  compounds: words.optional(),
  /** Words that call an invoice the original one. */
  original: words,
  /** Parts of the names of documents that credit or correct. */
  credits: words,
  /** Parts of words (unfolded letters only) of which one is in every line about another invoice. */
  stems: words,
});

const properties = z.strictObject({
  /** Patterns of words for a company, which no person's name answers. Read by `extraction/rules/parties/party-parts`. */
  companies: words.optional(),
  /** Words that say only that a property is one of an item: `line_total`. Read by `vocabulary`. */
  inItems: words.optional(),
  /** Patterns of names of a party's parts. Read by `extraction/rules/field-meaning`. */
  parts: z.partialRecord(z.enum(["name", "postal-code", "street", "city", "country", "address", "contact"]), words),
  /** Names of objects that say nothing about their members. Read by `extraction/rules/field-meaning`. */
  neutralParents: words.optional(),
  /** Parts of names of properties that name an item rather than describe it. Read by `extraction/rules/items/read-grid`. */
  itemNames: words.optional(),
  /** Patterns of names of properties that ask for the kind of a document. Read by `extraction/document-type/kind-choice`. */
  kinds: words,
  /** Patterns of choices for everything else; not folded. Read by `extraction/document-type/kind-choice`, `extraction/rules/unlabelled-values`. */
  others: words,
  /** Patterns of other choices that say nothing without a label; not folded. Read by `extraction/rules/unlabelled-values`. */
  vague: words.optional(),
  /** Ends of names of properties that hold a country. Read by `grounding/equivalent-spellings`. */
  countries: words,
  /** Parts of names of properties that say whether tax is in a total. Read by `extraction/rules/field-meaning`. */
  netOrGross: words.optional(),
  /** Patterns of words that ask for the invoice that a credit note is for. Read by `extraction/rules/referenced-document`. */
  original: words,
  /** Phrases that ask for a date as it is printed. Read by `extraction/rules/value-reader`. */
  asPrinted: words.optional(),
  /** Patterns of names of properties that hold the number of a payment card. Read by `confidence/value-checks`. */
  cardNumbers: words.optional(),
});

const forms = z.strictObject({
  /** Words and phrases that labels of forms and names of properties use for one thing, by a name that the languages share. Read by `extraction/rules/forms/form-terms`. */
  synonyms: z.record(word, words),
});

const conceptWords = z
  .strictObject({
    /** Names that properties give the concept, beyond its labels. */
    names: words,
    /** Labels that mean the concept wherever they stand. */
    labels: words,
    /** Labels that often mean something else; they score lower. */
    weak: words,
  })
  .partial()
  .refine((one) => Object.keys(one).length > 0, "must have names, labels or weak labels; leave it out instead");

const conceptIds = [...DOCUMENT_CONCEPTS, ...ITEM_CONCEPTS].map(({ id }) => id);

const languageFile = z.strictObject({
  /**
   * Place among the languages, which decides where two of them share a word or score alike; absent: after the others, by
   * code. Read by `npm run generate`.
   */
  order: z.int().min(1).optional(),
  letters: letters.optional(),
  grammar,
  labels,
  numbers,
  answers,
  dates,
  /** Patterns of names of currencies in running text, by ISO 4217 code. Read by `values/currencies`. */
  currencies: z.record(z.string().regex(/^[A-Z]{3}$/, "must be an ISO 4217 code"), words).optional(),
  parties,
  layout,
  totals,
  limits: limits.optional(),
  documents,
  references,
  /** Patterns of phrases that state a fact in running prose, by its concept; `…` stands for the value, and a phrase without it is the value. Read by `extraction/rules/statements`. */
  statements: z.partialRecord(z.enum(STATED_CONCEPTS.map(({ id }) => id)), words).optional(),
  /** Words in names, titles and descriptions of a schema's properties. */
  properties,
  /** Words of forms that people fill. */
  forms: forms.optional(),
  /** Names and labels of the concepts of business documents. Read by `vocabulary`. */
  concepts: z.partialRecord(z.enum(conceptIds), conceptWords),
});

export type LanguageFile = z.infer<typeof languageFile>;

/** The words of a language that may lack any member, as those of the neighbours do. */
export type LanguageWords = { [Section in keyof LanguageFile]: Partial<LanguageFile[Section]> };

function sentenceOf({ code, message, ...issue }: z.core.$ZodIssue): string {
  if (code === "unrecognized_keys" && "keys" in issue) return `has no member ${issue.keys.join(", ")}`;
  if (code !== "invalid_type" || !("expected" in issue)) return message;
  return message.endsWith("received undefined") ? "is missing" : `must be of the type ${issue.expected}`;
}

/** Faults of a language file: a sentence each, with the path of the member. */
export function faultsOf(file: unknown): string[] {
  const { error } = languageFile.safeParse(file);
  return (error?.issues ?? []).map((issue) => `${issue.path.join(".") || "The file"} ${sentenceOf(issue)}`);
}
