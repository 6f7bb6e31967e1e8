import { expect, it } from "vitest";
import { blockText } from "../../../../functions/engine/structure/layout-text.ts";
import { structureLayout } from "../../../../functions/engine/structure/structure-layout.ts";
import type { Block, Layout } from "../../../../functions/ports/layout.ts";
import { type SetLine, setLayout, setPage } from "../../../support/typeset.ts";

const textsOf = (layout: Layout, kind: Block["kind"]): string[] =>
  structureLayout(layout).pages.flatMap((page) => page.blocks.filter((block) => block.kind === kind).map(blockText));

const BODIES = [
  "Alpha beta gamma delta",
  "One two three four five",
  "Red green blue and white",
  "North south east west",
];

/** Pages with a body, and lines at their edges. */
const document = (pages: number, edges: (page: number) => SetLine[]): Layout =>
  setLayout(
    ...Array.from({ length: pages }, (_, index) =>
      setPage([`${BODIES[index % 4]} on this page`], ...edges(index + 1).map((line) => [line])),
    ),
  );

it.each([
  ["3", (page: number) => `${page}`],
  ["- 3 -", (page: number) => `- ${page} -`],
  ["-3-", (page: number) => `-${page}-`],
  ["Page 3 of 4", (page: number) => `Page ${page} of 4`],
  ["Seite 3/4", (page: number) => `Seite ${page}/4`],
  ["iii", (page: number) => ["i", "ii", "iii", "iv"][page - 1] ?? ""],
  ["page 13 of a reprint", (page: number) => `${page + 10}`],
])("findRunningLines: finds page numbers: %s", (_, text) => {
  const layout = document(4, (page) => [{ text: text(page), left: 4, top: 10.4 }]);
  expect(textsOf(layout, "footer")).toEqual([1, 2, 3, 4].map(text));
  expect(textsOf(layout, "paragraph")).toHaveLength(4);
});

it("findRunningLines: finds the same text at the same place on three pages", () => {
  const layout = document(3, () => [
    { text: "Northwind Traders – Terms", top: 0.5 },
    { text: "Confidential", top: 10.4 },
  ]);
  expect(textsOf(layout, "header")).toEqual(Array(3).fill("Northwind Traders – Terms"));
  expect(textsOf(layout, "footer")).toEqual(Array(3).fill("Confidential"));
});

it("findRunningLines: finds lines that alternate on left and right pages", () => {
  const layout = document(4, (page) => [{ text: page % 2 === 0 ? "The Terms" : "Northwind Traders", top: 0.5 }]);
  expect(textsOf(layout, "header")).toHaveLength(4);
});

it("findRunningLines: finds a chapter's title beside the page number, though it changes", () => {
  const titles = ["Intro", "Scope", "Prices", "Law"];
  const layout = document(4, (page) => [
    { text: titles[page - 1] ?? "", left: 1, top: 0.5 },
    { text: `${page}`, left: 7, top: 0.5 },
  ]);
  expect(textsOf(layout, "header").join(" ")).toBe("Intro 1 Scope 2 Prices 3 Law 4");
});

it("structureLayout: cuts a running line from its block", () => {
  const page = (number: number): Block[] =>
    setPage([
      { text: `${BODIES[number]} and`, top: 10.2 },
      { text: `Page ${number}`, top: 10.4 },
    ]);
  const layout = setLayout(page(1), page(2), page(3));
  expect(textsOf(layout, "footer")).toEqual(["Page 1", "Page 2", "Page 3"]);
  expect(textsOf(layout, "paragraph")).toEqual([1, 2, 3].map((number) => `${BODIES[number]} and`));
});

it("findRunningLines: ignores single pages, two pages with the same text, text in the middle, numbers that do not count", () => {
  const edge = [{ text: "Northwind Traders", top: 0.5 }];
  expect(
    textsOf(
      document(1, () => [{ text: "1", top: 10.4 }]),
      "footer",
    ),
  ).toEqual([]);
  expect(
    textsOf(
      document(2, () => edge),
      "header",
    ),
  ).toEqual([]);
  expect(
    textsOf(
      document(4, () => [{ text: "the same on every page", top: 5 }]),
      "header",
    ),
  ).toEqual([]);
  const totals = [17, 230, 4, 98];
  const layout = document(4, (page) => [{ text: `Total ${totals[page - 1]}.00`, top: 10.4 }]);
  expect(textsOf(layout, "footer")).toEqual([]);
});

it("findRunningLines: ignores the heads of a continued table below the running header", () => {
  const page = (number: number): Block[] =>
    setPage([
      { text: "Price list", top: 0.4 },
      { text: "Item and price", top: 0.8 },
      { text: `${BODIES[number]} 12.50`, top: 0.98 },
    ]);
  const layout = setLayout(page(1), page(2), page(3));
  expect(textsOf(layout, "header")).toEqual(Array(3).fill("Price list"));
});
