/** The limits that a deployment can set, and the functions that they reach. */
import { describe, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { context, functions, templateOf } from "../support/template.ts";

const made = (given: Record<string, unknown>) =>
  cloudApp({ ...context, "aws:cdk:bundling-stacks": [], ...given }).stack;

interface Made {
  Description: string;
  ReservedConcurrentExecutions?: number;
  Environment: { Variables: Record<string, unknown> };
}

describe("a deployment's limits", () => {
  it("reserve no concurrency by default: an account may have only 10 executions in all", () => {
    for (const { properties } of functions) expect(properties).not.toHaveProperty("ReservedConcurrentExecutions");
  });

  it("reach the functions that enforce them, and reserve concurrency for the API's", () => {
    const stack = made({ SHEAF_RETENTION_DAYS: "30", SHEAF_MAX_OPEN_RUNS: 500, SHEAF_API_CONCURRENCY: "25" });
    const all = Object.values(templateOf(stack).findResources("AWS::Lambda::Function")).map(
      ({ Properties }) => Properties as Made,
    );
    const isOf = ({ Description }: Made): boolean =>
      /the API's|first look at an upload|fills templates/.test(Description);
    for (const one of all) expect(one.ReservedConcurrentExecutions, one.Description).toBe(isOf(one) ? 25 : undefined);
    const variables = (ending: RegExp) =>
      all.find(({ Description }) => ending.test(Description))?.Environment.Variables;
    expect(variables(/keeps the API keys$/)).toMatchObject({ SHEAF_RETENTION_DAYS: "30" });
    expect(variables(/the API's documents$/)).toMatchObject({ SHEAF_MAX_OPEN_RUNS: "500" });
    expect(variables(/the step settle/)).not.toHaveProperty("SHEAF_RETENTION_DAYS");
  });

  it("hold the page quota where runs are opened and where pages are recognised", () => {
    const all = Object.values(templateOf(made({ SHEAF_PAGE_QUOTA: 5000 })).findResources("AWS::Lambda::Function")).map(
      ({ Properties }) => Properties as Made,
    );
    const holders = all.filter(({ Description }) =>
      /the API's documents|step (recognize|collect) of/.test(Description),
    );
    expect(holders).toHaveLength(3);
    for (const { Environment } of holders) expect(Environment.Variables).toMatchObject({ SHEAF_PAGE_QUOTA: "5000" });
    expect(() => made({ SHEAF_PAGE_QUOTA: "lots" })).toThrow("SHEAF_PAGE_QUOTA must be a whole number");
  });

  it("give the keys of payments, and the address for buyers, to the function that sells alone", () => {
    const sellers = functions.filter(({ properties }) =>
      Object.keys((properties.Environment as Made["Environment"]).Variables).some((name) => /PAYMENTS/.test(name)),
    );
    expect(sellers.map(({ description }) => description)).toEqual([expect.stringContaining("the API's settings")]);
    const addressOf = (given: Record<string, unknown>) =>
      Object.values(templateOf(made(given)).findResources("AWS::Lambda::Function"))
        .map(({ Properties }) => (Properties as Made).Environment.Variables.SHEAF_PUBLIC_URL)
        .filter((one) => one !== undefined);
    expect(addressOf({})).toEqual([{ "Fn::GetAtt": [expect.stringMatching(/^Api/), "ApiEndpoint"] }]);
    expect(addressOf({ SHEAF_PUBLIC_URL: "https://sheaf.example.com/" })).toEqual(["https://sheaf.example.com"]);
    expect(() => made({ SHEAF_PUBLIC_URL: "sheaf" })).toThrow("SHEAF_PUBLIC_URL must be an address");
  });

  it("record what usage costs by default, and bill as they are told", () => {
    const functionsOf = (given: Record<string, unknown>) =>
      Object.values(templateOf(made(given)).findResources("AWS::Lambda::Function")).map(
        ({ Properties }) => Properties as Made,
      );
    for (const { Environment } of functionsOf({})) expect(Environment.Variables.SHEAF_BILLING).toBe("record");
    const rates = '{ "ocr": { "textract": 800 } }';
    const enforced = functionsOf({
      SHEAF_BILLING: "enforced",
      SHEAF_RATES: rates,
      SHEAF_PORTAL_URL: "https://example.com/p",
    });
    const billing = { SHEAF_BILLING: "enforced", SHEAF_RATES: '{"ocr":{"textract":800}}' };
    for (const { Environment } of enforced) expect(Environment.Variables).toMatchObject(billing);
    const api = enforced.filter(({ Description }) => /the API's/.test(Description));
    for (const { Environment } of api)
      expect(Environment.Variables).toMatchObject({ SHEAF_PORTAL_URL: "https://example.com/p" });
    expect(() => made({ SHEAF_BILLING: "on" })).toThrow("SHEAF_BILLING must be one of off, record, enforced");
    expect(() => made({ SHEAF_RATES: '{"ocr":7}' })).toThrow("SHEAF_RATES, line 1: `ocr` is an object");
    expect(() => made({ SHEAF_RATES: `{"ocr":{"a":1}}${" ".repeat(10)}` })).not.toThrow();
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`provider-number-${at}`, 10]));
    expect(() => made({ SHEAF_RATES: JSON.stringify({ ocr: many }) })).toThrow("more than 500 characters");
  });

  it("start few runs of one organization at once by default, as an account may have only 10 executions", () => {
    const rates = (given: Record<string, unknown>) => {
      const all = Object.values(templateOf(made(given)).findResources("AWS::Lambda::Function"));
      return new Set(all.map(({ Properties }) => (Properties as Made).Environment.Variables.SHEAF_START_RATE));
    };
    expect(rates({})).toEqual(new Set(["60:6"]));
    expect(rates({ SHEAF_START_RATE: "600:50" })).toEqual(new Set(["600:50"]));
    expect(() => made({ SHEAF_START_RATE: "fast" })).toThrow("SHEAF_START_RATE must be starts of runs a minute");
  });

  it("can close the API, and set the log level of all functions", () => {
    const stack = made({ SHEAF_MAINTENANCE: 1, SHEAF_LOG: "debug" });
    const all = Object.values(templateOf(stack).findResources("AWS::Lambda::Function")).map(
      ({ Properties }) => Properties as Made,
    );
    for (const { Description, Environment } of all) {
      const { SHEAF_MAINTENANCE, SHEAF_LOG } = Environment.Variables;
      if (Description.includes("the API's")) expect(SHEAF_MAINTENANCE, Description).toBe("1");
      if (Description.includes("of a run")) expect(SHEAF_MAINTENANCE, Description).toBeUndefined();
      expect(SHEAF_LOG, Description).toBe("debug");
    }
    expect(() => made({ SHEAF_MAINTENANCE: "yes" })).toThrow("SHEAF_MAINTENANCE must be one of 0, 1");
    expect(() => made({ SHEAF_LOG: "loud" })).toThrow("SHEAF_LOG must be one of debug");
  });

  it("are refused at synthesis when they are invalid", () => {
    expect(() => made({ SHEAF_RETENTION_DAYS: "soon" })).toThrow("SHEAF_RETENTION_DAYS must be a whole number");
    expect(() => made({ SHEAF_API_CONCURRENCY: "0" })).toThrow("SHEAF_API_CONCURRENCY must be a whole number");
  });
});
