import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const extract = (properties: { [name: string]: Json }, lines: readonly string[]): ReturnType<typeof extractOffline> => {
  const page = new PageMaker();
  for (const [at, line] of lines.entries()) page.text(1, 1 + at * 0.5, line);
  return extractOffline(page.layout(), { schema: parseSchema({ type: "object", properties }), granularity: "word" });
};

const read = (properties: { [name: string]: Json }, ...lines: string[]): Json => extract(properties, lines).result;

/** The confidence of the rule that found the first property's value. */
const confidenceOf = (properties: { [name: string]: Json }, ...lines: string[]): number | undefined =>
  Object.values(extract(properties, lines).sources.locations)[0]?.confidence;

const number = { type: "number" } satisfies Json;
const integer = { type: "integer" } satisfies Json;
const date = { type: "string", format: "date" } satisfies Json;

describe("figures and dates in sentences", () => {
  it("are given where a sentence has the property's words and one value", () => {
    const result = read(
      { statutes_adopted: date, annual_fee: number, initial_term_years: integer, new_members: integer },
      "The general meeting adopted these statutes on 4 May 2023 in Leeds.",
      "Every member pays an annual fee of EUR 25 to the treasurer.",
      "The agreement runs for an initial term of ten (10) years from that day.",
      "In this year the club could welcome 1,234 new members from the town.",
    );
    expect(result).toEqual({
      statutes_adopted: "2023-05-04",
      annual_fee: 25,
      initial_term_years: 10,
      new_members: 1234,
    });
  });

  it("are read in their clause where a sentence has several", () => {
    const fees = "The annual fee is EUR 40 for adults, and for students it is EUR 15 in each year.";
    expect(read({ annual_fee_adults: number, annual_fee_students: number }, fees)).toEqual({
      annual_fee_adults: null,
      annual_fee_students: 15,
    });
  });

  it("are read before their names where the last name stands behind the last value", () => {
    const calls = "The assembly meets at 19:45 on the first call and at 20:15 on the second call of that day.";
    const [first_call_time, second_call_time] = [{ type: "string" }, { type: "string" }];
    expect(read({ first_call_time, second_call_time }, calls)).toEqual({
      first_call_time: "19:45",
      second_call_time: "20:15",
    });
  });

  it("count millions in units", () => {
    expect(
      read({ total_revenue: number }, "In 2023 we reached a total revenue of EUR 3.2 million in all markets."),
    ).toEqual({
      total_revenue: 3_200_000,
    });
  });

  it("are null where two sentences say different things", () => {
    const lines = ["The annual fee of the club is EUR 25 for all.", "The annual fee of the club was EUR 20 before."];
    expect(read({ annual_fee: number }, ...lines)).toEqual({ annual_fee: null });
  });

  it("are null where a word of the name is missing, and in another year", () => {
    const line = "For 2018 the association shows expenses of EUR 6,470.80 in its books.";
    expect(read({ expenses_2017: number, travel_expenses: number }, line)).toEqual({
      expenses_2017: null,
      travel_expenses: null,
    });
  });

  it("are null for a date of the document that another date's sentence mentions", () => {
    expect(
      read({ report_date: date }, "We gave the report to all who had asked for it before 4 May 2023 came."),
    ).toEqual({
      report_date: null,
    });
  });

  it("are periods, times and counted words where the name asks for them", () => {
    const names = ["objection_period", "session_time", "works_allowed"];
    const [period, time] = [{ type: "string" }, { type: "string" }];
    const result = read(
      { [names[0] ?? ""]: period, [names[1] ?? ""]: time, [names[2] ?? ""]: integer },
      "A member may raise an objection to it within two weeks in writing.",
      "The board has called the next session for all at 16:05 in the hall.",
      "Each author may take part with three works, and no more are allowed.",
    );
    expect(result).toEqual({ objection_period: "two weeks", session_time: "16:05", works_allowed: 3 });
  });

  it("are no rates where a currency is asked for", () => {
    const fee = { type: "number", description: "Franchise fee in euros" } satisfies Json;
    const line = "The franchisee pays a franchise fee of 5% on all that it sells.";
    expect(read({ franchise_fee: fee }, line)).toEqual({ franchise_fee: null });
  });

  it("count no years", () => {
    expect(read({ pages: integer }, "See the proceedings of the year 2010 pages and pages of which are lost.")).toEqual(
      {
        pages: null,
      },
    );
  });

  it("are given where a sentence has most of what the question tells, in other words than the name's", () => {
    const [removal, board, sponsor] = [
      { type: "integer", description: "Days within which an expelled member may appeal" },
      { type: "integer", description: "Number of persons on the board" },
      { type: "number", description: "Amount that the sponsor pays in PLN" },
    ] satisfies Json[];
    const result = read(
      { removal_days: removal ?? {}, board_size: board ?? {}, sponsoring: sponsor ?? {} },
      "An expelled member may appeal to the assembly within 14 days in writing.",
      "The board consists of 5 persons, one of whom is the chair of all.",
      "The members meet in the spring of each year for the assembly.",
      "The total prize pool of all competitions is 10,000 PLN this year.",
    );
    expect(result).toEqual({ removal_days: 14, board_size: 5, sponsoring: null });
  });

  it("are read by the word right behind them", () => {
    const line = "The fee of the service is set at EUR 375 gross, which come to EUR 300 net for all.";
    expect(read({ fee_gross: number, fee_net: number }, line)).toEqual({ fee_gross: 375, fee_net: 300 });
    // Both have the word beside them: the one that it leads to is meant.
    const twice = "The donations raised for the club came to EUR 77,586, almost double the EUR 46,486 raised in 2015.";
    expect(read({ donations_raised: number }, twice)).toEqual({ donations_raised: 77_586 });
  });

  it("count millions in millions where the description asks so", () => {
    const raised = { type: "number", description: "Money raised in millions of euros" } satisfies Json;
    expect(read({ raised }, "The company has raised money of EUR 8 million from funds in May.")).toEqual({ raised: 8 });
  });

  it("count neither paragraphs nor spans", () => {
    const lines = [
      "§ 20 Auditors of the club are chosen by all.",
      "Each piece takes from 6 to 8 auditions in the hall.",
      "2) positive opinions of the members are needed.",
    ];
    expect(read({ auditors: integer, auditions: integer, opinions: integer }, ...lines)).toEqual({
      auditors: null,
      auditions: null,
      opinions: null,
    });
  });

  it("count behind a short word that is cut", () => {
    const line = "The board of the club consists of min. 5 members in all years.";
    expect(read({ board_members: integer }, line)).toEqual({ board_members: 5 });
  });

  it("are a guess where several sentences tell as much and hold no answer", () => {
    const lines = [
      "The lowest wooden moorings in the harbour were let for EUR 280 by the office.",
      "The wooden moorings in the harbour are taken from the list of the town.",
      "The skippers chose the wooden moorings in the harbour for their calm water.",
    ];
    const asked = { type: "number", description: "Surety for the wooden moorings in the harbour" } satisfies Json;
    const others = ["rope", "sail", "crane", "wharf"].map(
      (one) => `Every ${one} of the town is kept by its own guild.`,
    );
    const confidences = [lines.slice(0, 2), lines].map((some) => confidenceOf({ surety: asked }, ...some, ...others));
    expect(confidences).toEqual([0.5, 0]);
  });

  it("are not negative in brackets behind a word", () => {
    const lines = [
      "Eighty percent (80%) of the membership must be students of the university.",
      "(9) The fund has fifteen (15) trustees in all.",
    ];
    expect(read({ student_membership: number, trustees: integer }, ...lines)).toEqual({
      student_membership: 80,
      trustees: 15,
    });
  });

  it("are the first and the last day of a range", () => {
    const result = read(
      { registration_start: date, registration_end: date, stay_first_day: date, stay_last_day: date, course_end: date },
      "The registration of teams is open from 26.02.2018 to 12.03.2018 in the office.",
      "Pendant le stay du 17 au 27 mai 2022, les membres ont la salle.",
    );
    expect(result).toEqual({
      registration_start: "2018-02-26",
      registration_end: "2018-03-12",
      stay_first_day: "2022-05-17",
      stay_last_day: "2022-05-27",
      course_end: null,
    });
  });

  it("are numbers before the unit that ends the name", () => {
    const result = read({ running_course_km: number }, "The running course leads 5.3 km along the river in the town.");
    expect(result).toEqual({ running_course_km: 5.3 });
  });

  it("tell which of several addresses is meant", () => {
    const result = read(
      { prototypes_email: { type: "string" } },
      "Questions about the prototypes go to the email lab@harbour.example at any time.",
      "For all other things write to the office: office@harbour.example is its address.",
    );
    expect(result).toEqual({ prototypes_email: "lab@harbour.example" });
  });
});
