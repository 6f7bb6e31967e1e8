/**
 * Words that restrict the wanted rows of a list, folded, in English, German, French, Spanish and Dutch; parts of
 * regular expressions.
 */

export const ONLY =
  "only|just|solely|exclusively|nur|ausschliesslich|lediglich|bloss|seulement|uniquement|exclusivement|solo|solamente|unicamente|exclusivamente|alleen|uitsluitend|enkel|slechts";

/** Verbs of a request. */
export const ASK =
  "extract|get|list|return|give|show|read|include|find|take|pull|fetch|collect|output|provide|parse|capture|want|need|limit (?:yourself |the \\S+ )?to|restrict (?:yourself |the \\S+ )?to|what are|which are|extrahier\\w*|lies|lese|lesen|gib|gebe|geben|liste|nimm|zeige?|erfasse\\w*|liefere?|brauche|brauchen|mochte|mochten|will|beschranke dich auf|extrais|extraire|extrayez|donne[rz]?|lister?|listez|lis|lire|lisez|prends|prenez|renvoie\\w*|retourne[rz]?|recupere[rz]?|veux|voudrais|extrae|extraer|extraiga|dame|deme|listar?|devuelv\\w+|muestr\\w+|lee|leer|incluy\\w+|obten\\w*|quiero|necesito|extraheer|haal|geef|lijst|lees|toon|neem|wil|vraag";

/** Words that may stand between the verb and its object. */
export const FILLER =
  "the|all|any|of|me|us|out|please|a list of|data|data of|those|these|die|der|das|den|alle|allen|mir|uns|bitte|les|des|tous|toutes|la|las|los|el|todas|todos|por favor|moi|nous|s'il vous plait|de|het|mij|graag|aub|line|table|detail";

export const ROWS =
  "rows?|items?|lines?|line items?|entries|entry|positions?|records?|products?|payments?|transactions?|bookings?|articles?|zeilen?|posten|positionen|eintrag|eintrage|buchungen|buchung|artikel|datensatze|produkte|zahlungen|transaktionen|umsatze|lignes?|postes?|entrees?|elements?|ecritures?|enregistrements?|produits?|paiements?|filas?|lineas?|articulos?|partidas?|entradas?|registros?|productos?|pagos?|transacciones|movimientos?|regels?|rijen|rij|artikelen|boekingen|betalingen|transacties|producten";
export const ONE_ROW =
  "row|item|line|line item|entry|position|record|product|payment|transaction|booking|zeile|eintrag|buchung|ligne|article|ecriture|entree|fila|linea|articulo|registro|pago|regel|rij|boeking|betaling";

export const FIRST =
  "first|erste[nrms]?|premi(?:er|ere|ers|eres)|primer(?:a|as|o|os)?|eerste|initial|anfangliche\\w*|primeros";
export const LAST = "last|final|letzte[nrms]?|dernier(?:e|s|es)?|ultim[oa]s?|laatste";
export const RANKED =
  "top|latest|newest|oldest|most recent|largest|biggest|highest|lowest|smallest|cheapest|most expensive|neueste\\w*|grosste\\w*|hochste\\w*|kleinste\\w*|teuerste\\w*|billigste\\w*|plus (?:grand|gros|recent|cher|petit)\\w*|mayores|menores|mas (?:recientes|caros|altos|grandes)|hoogste|laagste|grootste|kleinste|nieuwste|duurste";
export const AT_MOST =
  "at most|up to|a maximum of|maximum(?: of)?|max|exactly|hochstens|maximal|maximum|bis zu|genau|au maximum|au plus|maximum de|jusqu'a|exactement|como maximo|un maximo de|hasta|exactamente|maximaal|hoogstens|ten hoogste|precies";
/** A negation by its words, an upper limit by its meaning. */
export const NOT_MORE = /\b(?:no|not|nicht|pas|niet|geen) (?:more than|mehr als|plus de|mas de|meer dan)\b/g;

export const COMPARED =
  "over|above|more than|greater than|larger than|higher than|at least|below|under|less than|fewer than|smaller than|lower than|exceed\\w*|up to|at most|between|since|after|before|until|uber|mehr als|grosser als|hoher als|ab|mindestens|unter|weniger als|kleiner als|hochstens|zwischen|seit|nach|vor|plus de|superieure?s? a|au moins|moins de|inferieure?s? a|au plus|entre|depuis|apres|avant|mas de|superior(?:es)? a|mayor(?:es)? (?:de|que|a)|al menos|menos de|inferior(?:es)? a|menor(?:es)? (?:de|que|a)|desde|despues del?|antes del?|boven|meer dan|hoger dan|groter dan|minstens|onder|minder dan|lager dan|kleiner dan|tussen|sinds|na|voor";
/** Words that open a description of rows. */
export const WITH = "with|having|mit|avec|con|met";
export const THAT =
  "that|which|who|whose|where|die|deren|welche|bei denen|dont|qui|ou|que|cuyo|cuya|cuyos|cuyas|waarvan|waarbij";
/** Behind `with`, these refer to the columns of the rows rather than to a kind of them. */
export const COLUMN_DETERMINERS =
  "their|its|all|every|only|ihre[nrm]?|alle[nrm]?|deren|leurs?|tous|toutes|sus?|todos|todas|hun|alle|certainty|confidence|care";
export const PARTICIPLE =
  "dated|priced|costing|worth|valued|booked|posted|datiert|gebucht|datee?s?|fechad[oa]s?|gedateerd|geboekt|that are|die|de|von|van|of|d'un montant";
export const KIND =
  "category|categories|kind|class|status|state|group|section|chapter|department|type|kategorie|typ|art|klasse|gruppe|abschnitt|kapitel|abteilung|categorie|groupe|rayon|statut|chapitre|departement|categoria|tipo|clase|grupo|seccion|estado|capitulo|departamento|groep|afdeling|sectie|hoofdstuk|soort|rubriek|warengruppe|rubrik|rubrique";
export const OF =
  "of|in|from|for|with|under|aus|der|des|von|vom|mit|im|fur|unter|de|du|dans|avec|pour|del|con|en|para|van|uit|met|voor|onder";
/** States that some rows have. */
export const STATE =
  "overdue|unpaid|paid|outstanding|selected|ticked|checked|highlighted|cancelled|canceled|unfulfilled|delivered|undelivered|returned|refunded|discounted|taxable|taxed|uberfallig\\w*|unbezahlt\\w*|bezahlte\\w*|offene[nr]?|ausgewahlt\\w*|stornierte\\w*|gelieferte\\w*|impayee?s?|payee?s?|selectionnee?s?|annulee?s?|livree?s?|vencid[oa]s?|pendientes?|pagad[oa]s?|cancelad[oa]s?|seleccionad[oa]s?|openstaande?|betaalde?|onbetaalde?|geannuleerde?|geselecteerde?";
export const EXCEPT =
  "except(?: for)?|excluding|other than|apart from|ausser|ausgenommen|mit ausnahme(?: von)?|sauf|excepte|hormis|a l'exception de|excepto|salvo|menos|behalve|uitgezonderd|met uitzondering van";
export const THOSE = "those|the ones|diejenigen|denen|diejenige|solche[nr]?|ceux|celles|aquell[oa]s|degene|die";
export const PAGE = "pages?|seiten?|paginas?|pagina's|bladzijden?";
export const TABLE = "table|tabelle|tableau|tabla|tabel|section|abschnitt|seccion|sectie";
export const SECTION = "section|abschnitt|seccion|sectie|chapter|kapitel|chapitre|capitulo|hoofdstuk";
export const MONTH =
  "(?:19|20)\\d{2}|january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|marz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|januari|februari|maart|mei|augustus";
/** Behind these, a page number means that page and the following ones. */
export const STARTING = "from|starting (?:on|from|at|with)|ab|depuis|a partir de|desde|vanaf";
export const LATER_ORDINALS =
  "second|third|fourth|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|deuxieme|seconde?|troisieme|segund[oa]|tercera?|tweede|derde";
/** The request continues behind its limit. */
export const REST =
  "then|rest|remaining|others?|afterwards|restlich\\w*|ubrig\\w*|danach|dann|reste|ensuite|puis|resto|despues|luego|overige|daarna";
export const ONWARDS = "on|onwards?|onward|ff|an|aufwarts|fin|y siguientes|en verder|verder";

/** Behind a negation nothing is a limit. */
export const NEGATION =
  "not|no|never|don't|dont|doesn't|won't|without|nor|cannot|nicht|kein\\w*|nie|niemals|ohne|weder|ne|n'\\w+|pas|jamais|sans|ni|nunca|jamas|sin|ningun[oa]?|niet|geen|nooit|zonder|noch|rather than|instead of|statt";
/** Verbs that exclude rows: skip, ignore, omit. */
export const EXCLUDING_VERBS =
  "skip|skipping|ignore|ignoring|omit|omitting|exclude|drop|remove|leave out|forget|miss|stop|ignorier\\w*|uberspring\\w*|auslassen|lass\\w*|weglassen|vergiss|ignore[rz]?|omets|omettre|oublie[rz]?|saute[rz]?|exclure|ignora\\w*|omit[ae]\\w*|excluy\\w*|olvid\\w*|salt\\w*|negeer|negeren|overslaan|sla|vergeet|weglaten";
/** Words that name more of what is wanted anyway. */
export const INCLUDING_WORDS =
  "even|also|including|especially|particularly|such as|e\\.?g|like|even if|auch|sogar|einschliesslich|inklusive|insbesondere|selbst|wie|meme|aussi|y compris|notamment|surtout|incluso|tambien|incluyendo|inclusive|especialmente|zelfs|ook|inclusief|vooral|zoals|if|wenn|falls|si|als|when|because|since the|as the";
/** Verbs of sentences that describe rows instead of asking for some. */
export const DESCRIBING_VERBS =
  "is|are|was|were|has|have|contains?|shows|lists|holds?|looks?|starts?|begins?|continues?|repeats?|belongs?|goes|go|should|must|may|might|can|could|shall|will be|means?|ist|sind|war|waren|hat|haben|enthalt|enthalten|zeigt|zeigen|soll|sollen|muss|mussen|kann|konnen|darf|durfen|beginnt|beginnen|gehort|gehoren|steht|stehen|est|sont|etait|contient|contiennent|doit|doivent|peut|peuvent|commence\\w*|es|son|esta|estan|era|eran|tiene|tienen|contiene|contienen|debe|deben|puede|pueden|zijn|bevat|bevatten|moet|moeten|kan|kunnen|begint|beginnen|heeft|hebben|staat|staan";
/** Behind these, numbers mean a format or a position. */
export const FORMAT =
  "decimals?|digits?|characters?|chars?|letters?|words?|columns?|rows?|lines?|pages?|places?|tables?|headings?|headers?|fields?|tokens?|times|dezimal\\w*|nachkomma\\w*|stellen?|zeichen|ziffern?|spalten?|zeilen?|seiten?|tabellen?|felder|worte?n?|decimales?|chiffres?|caracteres?|lettres?|mots?|colonnes?|lignes?|champs?|digitos?|cifras?|letras?|palabras?|columnas?|filas?|paginas?|campos?|cijfers?|tekens?|letters?|woorden|kolommen|kolom|regels?|rijen|velden|per";
/** Properties of all rows of a document, or of none: no criterion. */
export const COMMON =
  "documents?|invoices?|tables?|lists?|files?|pages?|schema|data|values?|text|content|contents|printed|present|visible|legible|readable|real|actual|valid|below|above|shown|given|described|stated|exist\\w*|appear\\w*|dokument\\w*|rechnung|tabellen?|liste|seiten?|daten|werten?|text|inhalt\\w*|sichtbar\\w*|lesbar\\w*|vorhanden\\w*|tatsachlich\\w*|vorkommen|document|facture|tableaux?|liste|page|donnees|valeurs?|texte|contenu|visibles?|lisibles?|presente?s?|documento|factura|tablas?|lista|paginas?|datos|valores?|texto|contenido|legibles?|factuur|tabel|tabellen|lijst|gegevens|waarden?|tekst|inhoud|zichtbare?|leesbare?|sums?|totals?|subtotals?|headers?|headings?|footers?|empty|blank|summe|summen|kopf\\w*|fuss\\w*|leere?n?|totaux|sous-total|entetes?|vides?|totales|encabezados?|vaci[oa]s?|totalen|lege|columns?|fields?|spalten|felder|colonnes|champs|columnas|campos|kolommen|velden";
/** Words between several wanted things. */
export const AND =
  "and|or|und|oder|et|ou|y|o|u|en|of|if|when|as|each|every|columns?|names?|number|string|text|object|integer|date|boolean|below|above|following|unten|oben";

const NUMBERS = [
  "one",
  "two|zwei|deux|dos|twee",
  "three|drei|trois|tres|drie",
  "four|vier|quatre|cuatro",
  "five|funf|cinq|cinco|vijf",
  "six|sechs|seis|zes",
  "seven|sieben|sept|siete|zeven",
  "eight|acht|huit|ocho",
  "nine|neun|neuf|nueve|negen",
  "ten|zehn|dix|diez|tien",
];
/** The value of a number word; undefined for other words. */
export const countOf = (word: string): number | undefined => {
  if (/^\d{1,6}$/.test(word)) return Number(word);
  const at = NUMBERS.findIndex((names) => names.split("|").includes(word));
  return at < 0 ? undefined : at + 1;
};
export const COUNT = `\\d{1,6}|${NUMBERS.slice(1).join("|")}`;
