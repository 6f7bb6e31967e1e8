import { expect, it } from "vitest";
import { blockText, linesText } from "../../../../functions/engine/structure/layout-text.ts";
import { structureLayout } from "../../../../functions/engine/structure/structure-layout.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { setBlock, setLayout, setLine, setPage, setTable } from "../../../support/typeset.ts";

/** The text of the first block once the whole is structured; `elsewhere` is another paragraph of the document. */
function joined(first: string, second: string, elsewhere = "nothing of interest"): string {
  const { pages } = structureLayout(setLayout(setPage([first, second]), setPage([elsewhere])));
  return pages[0]?.blocks.map(blockText).join("|") ?? "";
}

it("markHyphens: joins a word that the line's end cuts, on the line where it begins", () => {
  expect(joined("one of the pay-", "ments was late")).toBe("one of the payments\nwas late");
  expect(joined("one of the pay\u2010", "ments was late")).toBe("one of the payments\nwas late");
  expect(joined("one of the Pay\u00ad", "Ments was late")).toBe("one of the PayMents\nwas late");
  expect(joined("the Uni-", "ted Kingdom,")).toBe("the United\nKingdom,");
});

it("markHyphens: keeps boxes and words", () => {
  const layout = setLayout(setPage(["one of the pay-", "ments was late"]));
  const [block] = structureLayout(layout).pages[0]?.blocks ?? [];
  const lines = block?.kind === "paragraph" ? block.lines : [];
  expect(lines.map((line) => line.hyphenated)).toEqual([true, undefined]);
  expect(lines[0]?.words).toEqual(
    layout.pages[0]?.blocks.flatMap((one) => (one.kind === "table" ? [] : one.lines))[0]?.words,
  );
});

it("markHyphens: follows the document's own spelling", () => {
  expect(joined("they are well-", "known by now", "a well-known fact")).toBe("they are well-\nknown by now");
  expect(joined("the CALI-", "FORNIA code", "in California")).toBe("the CALIFORNIA\ncode");
  expect(joined("are self-", "reliant people", "self-employed and reliant")).toBe("are self-\nreliant people");
});

it("markHyphens: keeps hyphens of compounds, except where a part is cut", () => {
  expect(joined("a state-of-the-", "art machine")).toBe("a state-of-the-\nart machine");
  expect(joined("a five-year-", "old machine")).toBe("a five-year-\nold machine");
  expect(joined("ein E-Mail-Adres-", "se fehlt", "die Adresse")).toBe("ein E-Mail-Adresse\nfehlt");
});

it("markHyphens: keeps hyphens of digits, capitals, addresses and suspended compounds", () => {
  for (const [first, second] of [
    ["the Form W-", "2 of last year"],
    ["the Anglo-", "American law"],
    ["the pre-", "and postwar years"],
    ["at www.north-", "wind.example now"],
    ["a pause -", "and on"],
  ] as const) {
    expect(joined(first, second)).toBe(`${first}\n${second}`);
  }
});

it("markHyphens: joins into the line below, not into the next column or block", () => {
  const page = setPage([
    { text: "a pay-", left: 1, top: 2 },
    { text: "ment here", left: 4, top: 2 },
  ]);
  const [block] = structureLayout(setLayout(page)).pages[0]?.blocks ?? [];
  expect(block && blockText(block)).toBe("a pay-   ment here");
});

it("markHyphens: joins words in the cells of tables", () => {
  const layout: Layout = setLayout([setTable([["the pay-/ment date", "due"]])]);
  const [table] = structureLayout(layout).pages[0]?.blocks ?? [];
  expect(table && blockText(table)).toBe("the payment date   due");
});

it("linesText: joins lines by the joiner, and compounds without it only in running text", () => {
  const lines = [setLine({ text: "a well-" }), setLine({ text: "known fact", top: 1.2 })];
  expect(linesText(lines, " ")).toBe("a well-known fact");
  expect(linesText(lines, "\n")).toBe("a well-\nknown fact");
  const block = setBlock("one", "two");
  expect(block.kind === "paragraph" && linesText(block.lines, "<br>")).toBe("one<br>two");
  expect(linesText([], " ")).toBe("");
});
