import { describe, expect, it } from "vitest";
import { plainLimits } from "../../../../../functions/engine/extraction/prompts/plain-limits.ts";

const LINES = "line items";
const limits = (...texts: string[]) => plainLimits(LINES, [LINES], texts);

/** Prompts that ask for all rows. */
const ALL = [
  "Extract all items.",
  "Extract all line items. Return only the fields in the schema.",
  "Extract every row of the table. Do not include currency symbols in amounts.",
  "Extract all rows. Ignore page headers and footers.",
  "Extract all items. Use at most 2 decimals.",
  "List all items; skip the totals row.",
  "Amounts with up to 2 decimals, every row please",
  "Extract ALL items from the document, do not skip any row.",
  "Extract all items, do not omit any rows",
  "Extract all rows; never leave out rows even if the list is over 100 rows",
  "Answer only from the document.",
  "Dates only as YYYY-MM-DD",
  "All items before tax, article_number must be at least 5 characters",
  "Extrahiere alle Positionen, nur Zahlen ohne Währung",
  "The table continues after page 1, extract everything",
  "Include all lines, including lines between 0 and 1 EUR",
  "Extract all first names and last names of every row",
  "Answer only with JSON",
  "Only return JSON with the items",
  "Return only the items",
  "Extract only the line items",
  "Extract only the line items from the table",
  "Extract only rows that contain actual data",
  "Extract only the rows of the table, not the header",
  "Skip the first row, it is a heading",
  "The first row is the header",
  "Ignore the first two rows",
  "the first 2 rows of each page are headings",
  "Do not extract only the first 10 rows",
  "Don't stop after the first 10 items",
  "Return all items, not just the first 5 items",
  "Extract all rows over all 12 pages",
  "Extract every row, there are over 100",
  "Use only the columns of the schema",
  "Extract the items with their prices and only numbers",
  "Extract all items of each category",
  "Extract all items with type and price",
  "Extract rows of every section",
  "The items on page 2 are in a different currency; extract all",
  "Extract all items on page 1 and continue on page 2",
  "Round amounts over 1000 EUR",
  "Rows over 100 EUR are marked in red",
  "Do not skip items with missing values",
  "Exclude headers and footers",
  "All line items, excluding totals",
  "Extract all rows except the totals row",
  "Extract all rows except header rows",
  "Excluding subtotals, list all items",
  "Return every transaction, including those below 1 EUR",
  "Nur die Felder aus dem Schema, alle Positionen",
  "Überspringe keine Zeile",
  "Lass keine Positionen weg",
  "Alle Positionen auslesen, auch die auf Seite 2",
  "Ignoriere Kopf- und Fusszeilen",
  "Nur JSON ausgeben",
  "Beträge mit höchstens 2 Nachkommastellen",
  "Die Tabelle geht auf Seite 2 weiter, alle Zeilen",
  "Extrais toutes les lignes, ne saute aucune ligne",
  "Uniquement du JSON",
  "Seulement les champs du schéma",
  "Toutes les lignes, montants sans devise",
  "Ignore les en-têtes et pieds de page",
  "Au maximum 2 décimales",
  "Extrae todas las filas, sin omitir ninguna",
  "Solo JSON",
  "Solo los campos del esquema",
  "Ignora los encabezados",
  "No omitas ninguna línea aunque haya más de 100 filas",
  "Haal alle regels op, sla geen regels over",
  "Alleen JSON",
  "Alleen de velden uit het schema",
  "Negeer kopteksten en voetteksten",
  "De tabel gaat verder op pagina 2",
  "Get every row of the table, the description in full",
  "Use only information printed in the document.",
  "Amounts without currency, dates as ISO",
  "Key items only matter if they are printed",
  "Make sure that you include all 25 items",
  "There are exactly 100 items",
  "Only if a row has no price, use null",
  "Only the first line of the address",
  "Use the last page for the total",
  "Extract items in the order of the document",
  "Return the amount in cents only",
  "Extract all items, one object per row, max 10 words per description",
  "For items over 100 EUR also give the discount",
  "If the list has more than 50 rows, extract all of them",
  "Extract items from the table with 5 columns",
  "Only extract what is visible",
  "Extract all outstanding items",
  "Return only the items with name, price and quantity",
  "Return only the items with their prices",
  "Only extract rows that belong to the line item table",
  "Only include rows that are line items",
  "Only the table rows",
  "Return only the items in JSON",
  "Return only the items in English",
  "Extract only items from the purchase order",
  "Only list items once",
  "Extract the 25 items of the table",
  "Extract all items, max 10 words",
  "Extract the first 5 items, then the rest",
  "Start with the first 5 rows, then continue",
  "Extract all items on page 1 and page 2",
  "Extract all rows on pages 1, 2 and 3",
  "the first 2 lines of the address",
  "Extract up to 100 rows per page",
  "Return the first 5 items first and the remaining items after them",
  "Extract all rows under the heading Positions 2024",
  "Nur die Positionen mit Menge und Preis",
  "Solo los artículos con nombre y precio",
  "If an item has more than 3 lines join them",
  "Extract each row even on page 2",
  "Each item has at least 2 lines",
  "Extract the items; only the first line holds the name",
  "Never return more than one row for one item",
  "Extract the total of items over 100 EUR",
];

/** Prompts that ask for some rows in words that only a reader understands. */
const READERS_ONLY = [
  "Only the last row",
  "No more than 10 items: return no more than 10 items",
  "Get the top 10 products",
  "Give me the 5 most recent payments",
  "Extract all items from page 2 onwards",
  "Extract all items on pages 1 to 3",
  "Only due payments",
  "Tylko pierwsze 5 pozycji",
  "Only items over 100 EUR",
  "Extract the lines, except those that were cancelled",
  "lines with an amount of more than 20",
  "rows whose quantity is above 5",
  "Extract items of category Hardware",
  "Only transactions from January 2024",
  "Get only the lines with a negative amount",
  "Only items in the section Services",
  "Only rows with status open",
  "Only unpaid items",
  "Only items with a discount",
  "Only rows whose status is overdue",
  "Extract all items over 100 EUR",
  "Extract transactions after 2024-03-01",
  "Extract the second table",
  "Only the section Expenses",
  "nur Positionen über 50 Euro",
  "Nur Positionen, die über 50 Euro liegen",
  "Nur Positionen mit Rabatt",
  "Alle Positionen ausser den stornierten Positionen",
  "Extrahiere die Positionen der Kategorie Werkzeug",
  "Nur unbezahlte Posten",
  "uniquement les lignes avec remise",
  "Seulement les articles de plus de 100 euros",
  "Uniquement les lignes de la catégorie Outils",
  "Solo los artículos de más de 100 euros",
  "Solo las líneas de la categoría Herramientas",
  "Únicamente los pagos pendientes",
  "Alleen regels boven 100 euro",
  "Alleen de artikelen van categorie Gereedschap",
  "Alleen onbetaalde posten",
];

const COUNTS: [string, number, string][] = [
  ["the first 7 rows", 7, "first"],
  ["Extract the first 5 items", 5, "first"],
  ["Extract only the first 5 items", 5, "first"],
  ["Please return the first five line items only", 5, "first"],
  ["List the last 3 transactions", 3, "last"],
  ["Return at most 10 rows", 10, "some"],
  ["Nur die ersten fünf Positionen", 5, "first"],
  ["Bitte nur die ersten 5 Zeilen auslesen", 5, "first"],
  ["Extrahiere die letzten 3 Buchungen", 3, "last"],
  ["Extrais les 5 premières lignes", 5, "first"],
  ["Les trois dernières lignes", 3, "last"],
  ["Solo las primeras 5 filas", 5, "first"],
  ["Extrae las 5 primeras filas", 5, "first"],
  ["Alleen de eerste 5 regels", 5, "first"],
  ["Geef de laatste 3 boekingen", 3, "last"],
  ["Maximaal 10 regels", 10, "some"],
  ["Solo le prime cinque righe", 5, "first"],
  ["Estrai al massimo 10 voci", 10, "some"],
  ["Only 10 items", 10, "some"],
  ["No more than 10 items", 10, "some"],
];

const PAGES: [string, number, number][] = [
  ["only items on page 2", 2, 2],
  ["Only page 2", 2, 2],
  ["Only the items on the first page", 1, 1],
  ["Only pages 2 to 4", 2, 4],
  ["Nur die Positionen auf Seite 2", 2, 2],
  ["Solo pagina 2", 2, 2],
  ["Nur Seite 2", 2, 2],
  ["Seulement la page 2", 2, 2],
  ["Solo la página 2", 2, 2],
  ["Alleen pagina 2", 2, 2],
  ["Only the last page", -1, -1],
];

describe("plainLimits", () => {
  it.each([...ALL, ...READERS_ONLY])("finds no limit in: %s", (prompt) => {
    expect(limits(prompt)).toEqual([]);
  });

  it.each(COUNTS)("finds a count in: %s", (prompt, rows, of) => {
    expect(limits(prompt)).toEqual([{ said: [prompt], count: { rows, of } }]);
  });

  it.each(PAGES)("finds pages in: %s", (prompt, from, to) => {
    expect(limits(prompt)).toEqual([{ said: [prompt], pages: [[from, to]] }]);
  });

  it("reads no limit from names, and from descriptions only about rows", () => {
    for (const name of ["key items", "main products", "outstanding items", "top 5 products", "first rows"])
      expect(plainLimits(name, [], [])).toEqual([]);
    expect(limits("All line items, excluding totals", "Use only information printed in the document.")).toEqual([]);
  });

  it("limits the named list only", () => {
    const [payments, staff] = ["payments", "employees"];
    const only = ["Only 5 payments"];
    expect(plainLimits(LINES, [LINES, payments], only)).toEqual([]);
    expect(plainLimits(payments, [LINES, payments], only)).toHaveLength(1);
    expect(plainLimits(staff, [staff], ["Extract the first 3 employees"])).toHaveLength(1);
    expect(limits("Extract the first 3 employees")).toEqual([]);
  });

  it("reads each sentence by itself", () => {
    const found = limits("Read the invoice carefully. Extract the first 5 items. Get the first 8 rows! Thanks.");
    expect(found.map(({ said, count }) => [said, count?.rows])).toEqual([
      [["Extract the first 5 items"], 5],
      [["Get the first 8 rows"], 8],
    ]);
  });

  it("takes bounded time for long texts", () => {
    const since = performance.now();
    for (const text of ["only rows ", "the first 5 ", "with of items ", "rows. ", "five ", "maximum of "])
      limits(text.repeat(2_000));
    expect(performance.now() - since).toBeLessThan(2_000);
  });
});
