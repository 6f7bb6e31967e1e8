import { describe, expect, it } from "vitest";
import { findRowLimit } from "../../../../functions/engine/completeness/restriction.ts";
import type { DataList } from "../../../../functions/engine/completeness/result-lists.ts";

const listOf = (name: string, description?: string): DataList => ({
  path: `/${name}`,
  scalars: false,
  items: [],
  lists: [`/${name}`],
  shape: description === undefined ? null : ({ kind: "list", description } as DataList["shape"]),
});
const LINES = listOf("line_items");
const limit = (...texts: string[]) => findRowLimit(LINES, [LINES], texts);

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

/** Prompts that ask for rows of some kind. */
const CRITERIA = [
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
  ["Only the last row", 1, "last"],
  ["Return at most 10 rows", 10, "some"],
  ["No more than 10 items: return no more than 10 items", 10, "some"],
  ["Get the top 10 products", 10, "best"],
  ["Give me the 5 most recent payments", 5, "best"],
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
];

const PAGES: [string, number, number][] = [
  ["Extract all items ab Seite 2", 2, Number.POSITIVE_INFINITY],
  ["only items on page 2", 2, 2],
  ["Extract all items on pages 1 to 3", 1, 3],
  ["Only page 2", 2, 2],
  ["Extract the items from page 3 onwards", 3, Number.POSITIVE_INFINITY],
  ["Only the items on the first page", 1, 1],
  ["Nur Seite 2", 2, 2],
  ["Seulement la page 2", 2, 2],
  ["Solo la página 2", 2, 2],
  ["Alleen pagina 2", 2, 2],
  ["Only the last page", -1, -1],
];

describe("findRowLimit", () => {
  it.each(ALL)("finds no limit in: %s", (prompt) => {
    expect(limit(prompt)).toBeUndefined();
  });

  it.each(CRITERIA)("finds a criterion in: %s", (prompt) => {
    expect(limit(prompt)).toEqual({ said: [prompt], criterion: true });
  });

  it.each(COUNTS)("finds a count in: %s", (prompt, rows, of) => {
    expect(limit(prompt)?.count).toEqual({ rows, of });
    expect(limit(prompt)?.criterion).toBeUndefined();
  });

  it.each(PAGES)("finds pages in: %s", (prompt, from, to) => {
    expect(limit(prompt)?.pages).toEqual([[from, to]]);
  });

  it("reads no limit from names, and from descriptions only about rows", () => {
    for (const name of ["key_items", "main_products", "outstanding_items", "top_5_products", "first_rows"])
      expect(findRowLimit(listOf(name), [], [])).toBeUndefined();
    expect(findRowLimit(listOf("lines", "All line items, excluding totals"), [], [])).toBeUndefined();
    expect(findRowLimit(listOf("lines", "Only items over 100 EUR"), [], [])?.criterion).toBe(true);
    expect(limit("", "Use only information printed in the document.")).toBeUndefined();
  });

  it("limits the named list only", () => {
    const payments = listOf("payments");
    const only = "Only payments over 100";
    expect(findRowLimit(LINES, [LINES, payments], [only])).toBeUndefined();
    expect(findRowLimit(payments, [LINES, payments], [only])?.criterion).toBe(true);
    const staff = listOf("employees");
    expect(findRowLimit(staff, [staff], ["Extract the first 3 employees"])?.count).toEqual({ rows: 3, of: "first" });
    expect(limit("Extract the first 3 employees")).toBeUndefined();
  });

  it("keeps the sentences as given, and the larger of two counts", () => {
    const found = limit("Read the invoice carefully. Extract the first 5 items; get the first 8 rows! Thanks.");
    expect(found).toEqual({
      said: ["Extract the first 5 items", "get the first 8 rows"],
      count: { rows: 8, of: "first" },
    });
  });

  it("takes bounded time for long texts", () => {
    const since = performance.now();
    for (const text of ["only rows ", "the first 5 ", "with of items ", "rows. ", "except those items, "])
      limit(text.repeat(2_000));
    expect(performance.now() - since).toBeLessThan(2_000);
  });
});
