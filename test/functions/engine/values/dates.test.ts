import { describe, expect, it } from "vitest";
import { decideDateOrder, parseDate, scanDates, toldDateOrder } from "../../../../functions/engine/values/dates.ts";

/** Notations that mean the same day in every document. */
const CERTAIN: [string, string | null][] = [
  ["2018-03-05", "2018-03-05"],
  ["2018/03/05", "2018-03-05"],
  ["2018.03.05", "2018-03-05"],
  ["2018-3-5", "2018-03-05"],
  ["2018-03-05T10:15:00Z", "2018-03-05"],
  ["2018-03-05 10:15", "2018-03-05"],
  ["20180305", "2018-03-05"],
  ["05.03.2018", "2018-03-05"],
  ["5.3.2018", "2018-03-05"],
  ["5.3.18", "2018-03-05"],
  ["05.03.98", "1998-03-05"],
  ["5. 3. 2018", "2018-03-05"],
  ["2018年3月5日", "2018-03-05"],
  ["2018 年 03 月 05 日", "2018-03-05"],
  ["2018年03月 05 日", "2018-03-05"],
  ["31/12/2018", "2018-12-31"],
  ["12/31/2018", "2018-12-31"],
  ["31-12-2018", "2018-12-31"],
  ["12-31-2018", "2018-12-31"],
  ["31/12/18", "2018-12-31"],
  ["5/5/2018", "2018-05-05"],
  ["31/12/2018 14:05", "2018-12-31"],
  // English
  ["Mar 5 13:24:15 2018", "2018-03-05"],
  ["Mar 5 13:24:15 UTC 2018", "2018-03-05"],
  ["5 March 2018", "2018-03-05"],
  ["5th March 2018", "2018-03-05"],
  ["5th of March 2018", "2018-03-05"],
  ["5th of March, 2018", "2018-03-05"],
  ["March 5, 2018", "2018-03-05"],
  ["March 5 2018", "2018-03-05"],
  ["March 5th, 2018", "2018-03-05"],
  ["Mar 5, 2018", "2018-03-05"],
  ["Mar. 5, 2018", "2018-03-05"],
  ["05-Mar-2018", "2018-03-05"],
  ["05-MAR-18", "2018-03-05"],
  ["05MAR2018", "2018-03-05"],
  ["Sept. 24, 2019", "2019-09-24"],
  ["24 Sep 2019", "2019-09-24"],
  ["1st January 2020", "2020-01-01"],
  ["2nd February 2020", "2020-02-02"],
  ["3rd March 2020", "2020-03-03"],
  ["August 3 , 2014", "2014-08-03"],
  ["2018 March 5", "2018-03-05"],
  ["2018-Mar-05", "2018-03-05"],
  ["December 1, 1999", "1999-12-01"],
  ["JULY 4, 2021", "2021-07-04"],
  ["Nov 15, 2019", "2019-11-15"],
  // German
  ["5. März 2018", "2018-03-05"],
  ["05. Maerz 2018", "2018-03-05"],
  ["5. Mrz 2018", "2018-03-05"],
  ["15. Jänner 2024", "2024-01-15"],
  ["1. Januar 2024", "2024-01-01"],
  ["30. Okt. 2018", "2018-10-30"],
  ["24. Dezember 2020", "2020-12-24"],
  ["7. Mai 2014", "2014-05-07"],
  // French
  ["1er janvier 2020", "2020-01-01"],
  ["13 novembre 2017", "2017-11-13"],
  ["3 août 2021", "2021-08-03"],
  ["14 févr. 2022", "2022-02-14"],
  ["9 décembre 2019", "2019-12-09"],
  ["30 juin 2020", "2020-06-30"],
  ["14 juillet 2020", "2020-07-14"],
  ["21 sept. 2021", "2021-09-21"],
  // Spanish
  ["5 de marzo de 2018", "2018-03-05"],
  ["31 de octubre de 2021", "2021-10-31"],
  ["12 ene 2022", "2022-01-12"],
  ["30 de agosto del 2019", "2019-08-30"],
  ["1 de setiembre de 2020", "2020-09-01"],
  // Dutch
  ["19 april 2014", "2014-04-19"],
  ["2 mei 2023", "2023-05-02"],
  ["11 mrt 2020", "2020-03-11"],
  ["28 februari 2023", "2023-02-28"],
  ["6 augustus 2020", "2020-08-06"],
  // Italian
  ["30 gennaio 2024", "2024-01-30"],
  ["22 luglio 2019", "2019-07-22"],
  ["8 mag 2021", "2021-05-08"],
  ["17 dicembre 2020", "2020-12-17"],
  ["3 ottobre 2018", "2018-10-03"],
  // Days that no calendar has, and what is no date
  ["29/02/2020", "2020-02-29"],
  ["29.02.2019", null],
  ["31.04.2020", null],
  ["00.01.2020", null],
  ["13/13/2020", null],
  ["32 March 2020", null],
  ["March 2020", null],
  ["2020", null],
  ["1.2.3.2018", null],
  ["123.45.2018", null],
  ["12.50", null],
  ["192.168.10.18", null],
  ["Marsch 5, 2018", null],
  ["tomorrow", null],
  ["", null],
];

/** Notations that need the document's order: text, day first, month first. */
const AMBIGUOUS: [string, string, string][] = [
  ["03/04/2018", "2018-04-03", "2018-03-04"],
  ["3/4/18", "2018-04-03", "2018-03-04"],
  ["03-04-2018", "2018-04-03", "2018-03-04"],
  ["1/12/2020", "2020-12-01", "2020-01-12"],
  ["10/11/1999", "1999-11-10", "1999-10-11"],
  // Points and named months leave no choice.
  ["03.04.2018", "2018-04-03", "2018-04-03"],
  ["3 Apr 2018", "2018-04-03", "2018-04-03"],
];

describe("parseDate", () => {
  it.each(CERTAIN)("%j is %s in every document", (text, iso) => {
    expect(parseDate(text, "day-first")).toBe(iso);
    expect(parseDate(text, "month-first")).toBe(iso);
  });

  it.each(AMBIGUOUS)("%j is %s day first and %s month first", (text, dayFirst, monthFirst) => {
    expect(parseDate(text, "day-first")).toBe(dayFirst);
    expect(parseDate(text, "month-first")).toBe(monthFirst);
  });
});

describe("scanDates", () => {
  it("finds all dates of a line and tells the doubtful ones", () => {
    const text = "Leistung vom 1. Mai 2023 bis 05/06/2023, Straße 7";
    const spans = scanDates(text, "day-first");
    expect(spans.map((span) => [text.slice(span.start, span.end), span.iso, span.ambiguous])).toEqual([
      ["1. Mai 2023", "2023-05-01", false],
      ["05/06/2023", "2023-06-05", true],
    ]);
  });

  it("keeps positions where folding would change the length of the text", () => {
    const text = "Großstraße ﬁnal 12.05.2024";
    const [span] = scanDates(text, "day-first");
    expect(text.slice(span?.start, span?.end)).toBe("12.05.2024");
  });

  it("reads eight digits only when asked to", () => {
    expect(scanDates("20240131", "day-first")).toEqual([]);
    expect(scanDates("20240131", "day-first", true)[0]?.iso).toBe("2024-01-31");
  });
});

describe("toldDateOrder", () => {
  it("is null where English text tells neither by a date nor by a currency", () => {
    expect(toldDateOrder(["03/04/2026"], "en", new Set())).toBeNull();
    expect(toldDateOrder(["03/04/2026", "25/04/2026"], "en", new Set())).toBe("day-first");
    expect(toldDateOrder(["03/04/2026"], "en", new Set(["USD"]))).toBe("month-first");
  });
});

describe("decideDateOrder", () => {
  it.each<[string, string[], string | null, string[], string]>([
    ["a day over 12 in first place", ["25/01/2024", "03/04/2024"], "en", ["USD"], "day-first"],
    ["a day over 12 in second place", ["01/25/2024"], "de", ["EUR"], "month-first"],
    ["English with dollars", ["03/04/2024"], "en", ["USD"], "month-first"],
    ["English with pounds", ["03/04/2024"], "en", ["GBP"], "day-first"],
    ["English with euros", ["03/04/2024"], "en", ["EUR"], "day-first"],
    ["Australian dollars", ["03/04/2024"], "en", ["AUD"], "day-first"],
    ["another language", ["03/04/2024"], "fr", ["USD"], "day-first"],
    ["nothing known", [], null, [], "day-first"],
    ["dollars alone", [], null, ["USD"], "month-first"],
  ])("%s", (_, lines, language, currencies, order) => {
    expect(decideDateOrder(lines, language, new Set(currencies))).toBe(order);
  });
});

describe("dates beside times and of other eras", () => {
  it.each([
    ["21.01.22-18:27/2.2.1", "2022-01-21"],
    ["30.07.2007/13:29: 17", "2007-07-30"],
    ["DATE 12/02/2560 19:58", "2017-02-12"],
  ])("are read: %s", (text, iso) => {
    expect(scanDates(text, "month-first").map((span) => span.iso)).toEqual([iso]);
  });

  it.each(["02/06/65", "Jan 29 13:24", "1.2.3-4"])("are none where the year is not told: %s", (text) => {
    expect(scanDates(text, "day-first")).toEqual([]);
  });

  it.each([
    ["Sample Trading Sdn Bhd", "day-first"],
    ["SINGAPORE 599736", "day-first"],
    ["London N1 6RA", "day-first"],
    ["Palo Alto, CA 94306", "month-first"],
    ["Ottawa ON K1P 5G4", null],
  ])("have the order of the page's country: %s", (line, order) => {
    expect(toldDateOrder([line, "02/04/2023"], "en", new Set())).toBe(order);
    expect(toldDateOrder([line], "en", new Set())).toBe(null);
  });
});
