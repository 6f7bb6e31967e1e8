/**
 * Whether somebody asks for some of a list's rows only: then fewer rows than are printed are right, and a receipt tells
 * but does not complain. Words are looked for where rows are spoken of: in the prompt, and in the list's own name, title
 * and description; what a column's description says restricts no row.
 */
import { foldText } from "../formats/text.ts";
import { type DataList, nameOf } from "./lists.ts";

const ONLY =
  "only(?! (?:valid |the |with )*(?:json|data|numbers?|digits|values?|object|result|answer))|just the|solely|exclusively|nur(?! (?:als )?json)|ausschliesslich|lediglich|seulement|uniquement|exclusivement|solo|solamente|unicamente|alleen|uitsluitend|soltanto|solamente";
const EXCEPT =
  "except|excluding|exclude|other than|ignor(?:e|ing)|skip|omit|leave out|do not (?:include|extract|list)|don't (?:include|extract|list)|but not|ausser|ausgenommen|ausschliessen|ignorier\\w*|uberspring\\w*|nicht aber|weglassen|sauf|excepte|hormis|ignore[rz]|excepto|salvo|omit(?:e|ir)|ignora\\w*|behalve|uitgezonderd|negeer|tranne|eccetto|escluso";
const COMPARED =
  "over|above|more than|greater than|larger than|at least|below|under|less than|fewer than|smaller than|exceed\\w*|up to|at most|max(?:imum)?(?: of)?|limit(?: of| to)?|between|since|after|before|until|uber|mehr als|grosser als|mindestens|unter|weniger als|hochstens|zwischen|seit|nach dem|vor dem|plus de|au moins|moins de|au plus|entre|depuis|apres|avant|mas de|menos de|al menos|desde|despues|antes|meer dan|minder dan|minstens|hoogstens|tussen|sinds|piu di|meno di|almeno|dopo|prima|>=?|<=?|≥|≤";
const RANKED =
  "first|last|top|latest|newest|oldest|most recent|largest|biggest|highest|lowest|smallest|cheapest|erste\\w*|letzte\\w*|neueste\\w*|grosste\\w*|hochste\\w*|kleinste\\w*|premi[eè]re?s?|derni[eè]re?s?|primer\\w*|ultim\\w*|eerste|laatste|hoogste|prim[ioae]";
const ROWS =
  "rows?|items?|lines?|entries|entry|positions?|products?|payments?|transactions?|bookings?|records?|tables?|pages?|zeilen?|posten|positionen|eintrage|buchungen|tabellen?|seiten?|lignes?|articles?|tableau\\w*|filas?|lineas?|regels?|posten|righe|voci|tabell[ae]";
const NUMBERED =
  "\\d+|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|funf|zehn|deux|trois|cinq|dos|tres|cinco";
const CHOSEN =
  "whose|overdue|unpaid|outstanding|selected|ticked|checked|highlighted|cancelled|unfulfilled|uberfallig\\w*|unbezahlt\\w*|offene[nr]?|ausgewahlt\\w*|impayee?s?|selectionnee?s?|vencid\\w*|pendientes?|openstaand\\w*|scadut\\w*";

/** Of a list's own name or description; in a prompt they are said of everything. */
const CHOICE_OF_LIST = "relevant\\w*|important\\w*|main|key|notable|wichtig\\w*|principa\\w*|belangrijk\\w*";

const word = (alternatives: string): string => `(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`;

const RESTRICTING = [
  word(ONLY),
  word(EXCEPT),
  // `over 100 EUR`, `after 1 March`
  `(?:${word(COMPARED)}|[<>≥≤]=?)[^.;\\n]{0,24}?\\d`,
  `${word(RANKED)} (?:${NUMBERED}|${ROWS})(?![\\p{L}])`,
  `${word("page|pages|seite|seiten|pagina|paginas|pagine")} \\d`,
  `${word("second|third|fourth|zweite\\w*|dritte\\w*|deuxieme|troisieme|segund[oa]|tercer\\w*|tweede|derde|second[ao]|terz[ao]")} (?:${ROWS})`,
  `${word("a sample of|examples?|for example one|beispiel\\w*|exemple\\w*|ejemplo\\w*|voorbeeld\\w*|esempi\\w*")} (?:of )?(?:${ROWS})`,
  word(CHOSEN),
].map((source) => new RegExp(source, "u"));

const OF_LIST = new RegExp(word(CHOICE_OF_LIST), "u");

/** Text longer than this is looked at in its beginning. */
const LONGEST = 4_000;

const restricts = (text: string): boolean => {
  const folded = foldText(text.slice(0, LONGEST)).replace(/[ \t]+/g, " ");
  return RESTRICTING.some((pattern) => pattern.test(folded));
};

/** @param prompt what the caller asked for in words @param about descriptions that lead to the list, such as the schema's own */
export function isRestricted(list: DataList, prompt: string | undefined, about: readonly string[]): boolean {
  const { shape } = list;
  const own = [nameOf(list), shape?.title ?? "", shape?.description ?? ""];
  if (own.some((text) => OF_LIST.test(foldText(text.slice(0, LONGEST))))) return true;
  return [prompt ?? "", ...own, ...about].some((text) => text !== "" && restricts(text));
}
