import { describe, expect, it } from "vitest";
import { BadRequest } from "../../../../../functions/ports/errors.ts";
import { fill, ink, Objects } from "../../../../support/filled-form.ts";
import { handForm } from "../../../../support/hand-form.ts";

type Rect = readonly [number, number, number, number];
const FIELD: Rect = [20, 300, 380, 320];
const AREA: Rect = [20, 100, 380, 320];

const field = (more = "", rect: Rect = FIELD) =>
  handForm({ widgets: [`/FT /Tx /T (text) /Rect [${rect.join(" ")}] ${more}`] });
const MULTILINE = "/Ff 4096";
const COMB = "/Ff 16777216";

/** Positions of the text in an appearance: x, y and the number of characters of each run. */
function placesOf(operators: string): { x: number; y: number; size: number }[] {
  return [...operators.matchAll(/ ([\d.]+) Tf 1 0 0 1 ([-\d.]+) ([-\d.]+) Tm/g)].map(([, size, x, y]) => ({
    x: Number(x),
    y: Number(y),
    size: Number(size),
  }));
}

describe("fillText", () => {
  it("sets the value and shows it", async () => {
    const { bytes } = await fill(field(), { text: "Zoë (1)" });
    const objects = await Objects.of(bytes);
    expect(objects.text(0, "V")).toBe("<FEFF005A006F00EB0020002800310029>");
    expect(await ink(bytes, FIELD)).toBeGreaterThan(50);
    expect(await ink(bytes, [0, 0, 400, 300])).toBe(0);
  });

  it.each([
    [12, "12"],
    [true, "true"],
    [null, ""],
    [0.5, "0.5"],
  ])("takes %s where text is", async (value, stored) => {
    const { bytes } = await fill(field("/V (old)"), { text: value });
    expect((await Objects.of(bytes)).text(0, "V")).toBe(`(${stored})`);
  });

  it.each([[["a"]], [{ a: 1 }]])("refuses %j", async (value) => {
    await expect(fill(field(), { text: value })).rejects.toBeInstanceOf(BadRequest);
  });

  it("refuses a text over the field's limit, and names the field", async () => {
    const filling = fill(field("/MaxLen 3"), { text: "four" });
    await expect(filling).rejects.toThrow("The field text takes 3 characters at most; the value has 4");
    await expect(filling).rejects.toMatchObject({ errors: [{ path: "/fields/text" }] });
  });

  it("counts characters as they are seen against the limit", async () => {
    const { bytes } = await fill(field("/MaxLen 2"), { text: "e\u0301e\u0301" });
    expect(await ink(bytes, FIELD)).toBeGreaterThan(30);
  });

  it("keeps words apart where a line break stands in a field of one line", async () => {
    const { bytes } = await fill(field(), { text: "two\r\nwords\n" });
    expect((await Objects.of(bytes)).text(0, "V")).toBe("(two words)");
  });

  it("drops a rich text, which viewers would show instead", async () => {
    const { bytes } = await fill(field("/RV (<p>old</p>) /V (old)"), { text: "new" });
    expect((await Objects.of(bytes)).text(0, "RV")).toBe("undefined");
  });

  it("shows a password as signs", async () => {
    const { bytes } = await fill(field("/Ff 8192"), { text: "abc" });
    expect((await Objects.of(bytes)).operators(0)).toContain("<2A2A2A>");
  });

  it("shrinks a long line into its box", async () => {
    const { bytes } = await fill(field("", [20, 300, 120, 320]), { text: "A line that is longer than its box" });
    expect(await ink(bytes, [20, 300, 120, 320])).toBeGreaterThan(50);
    expect(await ink(bytes, [121, 0, 400, 400])).toBe(0);
  });

  it.each([
    [0, 22],
    [1, 100],
    [2, 200],
  ])("aligns by /Q %i", async (quadding, least) => {
    const { bytes } = await fill(field(`/Q ${quadding}`), { text: "aligned text" });
    const [place] = placesOf((await Objects.of(bytes)).operators(0));
    expect(place?.x).toBeGreaterThanOrEqual(quadding === 0 ? 2 : least);
    expect(place?.x).toBeLessThan(quadding === 0 ? 5 : quadding === 1 ? 150 : 340);
  });

  it.each([90, 180, 270])("turns with a widget by %i°", async (turn) => {
    const rect: Rect = turn === 180 ? FIELD : [100, 100, 120, 380];
    const { bytes } = await fill(field(`/MK <</R ${turn}>>`, rect), { text: "turned by the widget" });
    expect(await ink(bytes, rect)).toBeGreaterThan(100);
    expect(await ink(bytes, [0, 0, 400, 400])).toBe(await ink(bytes, rect));
  });
});

describe("fillText over several lines", () => {
  it("wraps words, and keeps the breaks of the text", async () => {
    const { bytes } = await fill(field(MULTILINE, AREA), { text: `${"word ".repeat(60)}\nlast` });
    const rows = new Set(placesOf((await Objects.of(bytes)).operators(0)).map(({ y }) => y));
    expect(rows.size).toBeGreaterThan(4);
    expect(await ink(bytes, AREA)).toBe(await ink(bytes, [0, 0, 400, 400]));
  });

  it("shrinks a long text until it fits", async () => {
    const { bytes } = await fill(field(MULTILINE, AREA), { text: "many words of a long text ".repeat(100) });
    const places = placesOf((await Objects.of(bytes)).operators(0));
    expect(places[0]?.size).toBeLessThan(9);
    expect(Math.min(...places.map(({ y }) => y))).toBeGreaterThan(0);
  });

  it("sets text of automatic size in linear time: 50,000 characters", async () => {
    const start = process.cpuUsage();
    await fill(field(MULTILINE, AREA), { text: "The tenant returns the keys. ".repeat(1_725) });
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(1.5);
  });

  it("refuses more text than a form can hold, and names the field", async () => {
    const filling = fill(field(MULTILINE, AREA), { text: "x".repeat(100_001) });
    await expect(filling).rejects.toThrow("The field text takes 100000 characters at most; the value has 100001");
  });

  it("refuses text that is too much with all its places", async () => {
    const widgets = Array.from(
      { length: 20 },
      (_, index) => `/Parent 50 0 R /Rect [20 ${15 * index} 200 ${15 * index + 15}]`,
    );
    const kids = widgets.map((_, index) => `${10 + index} 0 R`).join(" ");
    const form = handForm({
      widgets,
      fields: "50 0 R",
      objects: [`50 0 obj <</FT /Tx /T (text) /Kids [${kids}]>> endobj`],
    });
    await expect(fill(form, { text: "x".repeat(60_000) })).rejects.toThrow("more than 1000000 characters");
  });
});

describe("fillText in scripts that a form's font lacks", () => {
  it.each([
    ["Cyrillic", "Тарас Шевченко"],
    ["Greek", "Ελληνικά"],
    ["Vietnamese", "Nguyễn Phượng"],
    ["Hebrew", "שלום עולם"],
    ["Arabic", "مرحبا بالعالم"],
    ["Chinese", "中文測試汉字"],
    ["Japanese", "日本語かなカナ"],
    ["Korean", "한국어"],
    ["several", "Latin Тарас 中文 한국"],
  ])("shows %s", async (_, text) => {
    const { bytes } = await fill(field(), { text });
    const drawn = await ink(bytes, FIELD);
    expect(drawn).toBeGreaterThan(60);
    // Another text of that length looks otherwise: no row of boxes for missing glyphs.
    const other = await fill(field(), {
      text: [...text]
        .reverse()
        .map((one) => (one === " " ? " " : (text[0] ?? "")))
        .join(""),
    });
    expect(await ink(other.bytes, FIELD)).not.toBe(drawn);
  });

  it.each([
    ["Cyrillic", "Шевч"],
    ["Chinese", "中文"],
    ["Korean", "한국"],
  ])("shows %s in the cells of a comb, one character each", async (_, text) => {
    const { bytes } = await fill(field(`${COMB} /MaxLen 6`), { text });
    const cell = (FIELD[2] - FIELD[0]) / 6;
    for (let index = 0; index < 6; index += 1) {
      const box: Rect = [FIELD[0] + index * cell, FIELD[1], FIELD[0] + (index + 1) * cell, FIELD[3]];
      const drawn = await ink(bytes, box);
      if (index < text.length) expect(drawn).toBeGreaterThan(15);
      else expect(drawn).toBe(0);
    }
  });

  it("refuses a character that no font has, and names it", async () => {
    const filling = fill(field(), { text: "a\u{13000}" });
    await expect(filling).rejects.toThrow('The field text holds "\u{13000}" (U+13000), which no font here has');
    await expect(filling).rejects.toBeInstanceOf(BadRequest);
  });

  it("begins text from right to left at the right", async () => {
    const { bytes } = await fill(field(), { text: "שלום" });
    expect(await ink(bytes, [20, 300, 200, 320])).toBe(0);
    expect(await ink(bytes, [200, 300, 380, 320])).toBeGreaterThan(40);
  });
});

describe("fillText, dates", () => {
  const dated = (script: string) => field(`/AA <</F <</S /JavaScript /JS (${script})>>>>`);

  it.each([
    ['AFDate_FormatEx("mm/dd/yyyy");', "03/09/2031"],
    ['AFDate_FormatEx("d. mmmm yyyy");', "9. March 2031"],
    ["AFDate_Format(5);", "9-Mar-31"],
  ])("writes an ISO date as %s has it", async (script, stored) => {
    const { bytes } = await fill(dated(script.replaceAll("(", "\\(").replaceAll(")", "\\)")), { text: "2031-03-09" });
    expect((await Objects.of(bytes)).text(0, "V")).toBe(`(${stored})`);
  });

  it("keeps a text that is no date", async () => {
    const { bytes } = await fill(dated('AFDate_FormatEx\\("mm/dd/yyyy"\\);'), { text: "soon" });
    expect((await Objects.of(bytes)).text(0, "V")).toBe("(soon)");
  });
});
