/** Differences of the interpreter from the service, and their correction. */
import { describe, expect, it } from "vitest";
import {
  rewriteContainer,
  rewriteState,
  rewriteTemplate,
} from "../../../../functions/adapters/local/workflows-rewrite.ts";
import { task } from "../../../contract/workflows.machines.ts";

describe("rewriteState", () => {
  it("gives a Task without a timeout more than the interpreter's 60 seconds, and no timer that overflows", () => {
    expect(rewriteState(task("a"))).toMatchObject({ TimeoutSeconds: 2_000_000 });
    expect(rewriteState(task("a", { TimeoutSeconds: 7 }))).toMatchObject({ TimeoutSeconds: 7 });
    expect(rewriteState(task("a", { TimeoutSeconds: 99_999_999 }))).toMatchObject({ TimeoutSeconds: 2_000_000 });
    expect(rewriteState(task("a", { TimeoutSecondsPath: "$.t" }))).not.toHaveProperty("TimeoutSeconds");
  });

  it("removes paths to the whole, and translates quoted result paths", () => {
    const catcher = { ErrorEquals: ["E"], Next: "N", ResultPath: "$" };
    const state = task("a", { InputPath: "$", OutputPath: "$", ResultPath: "$['x-y'].z", Catch: [catcher] });
    const rewritten = rewriteState(state);
    expect(rewritten).not.toHaveProperty("InputPath");
    expect(rewritten).not.toHaveProperty("OutputPath");
    expect(rewritten).toMatchObject({ ResultPath: "$.['x-y'].z", Catch: [{ ErrorEquals: ["E"], Next: "N" }] });
    expect(JSON.stringify(rewritten.Catch)).not.toContain("ResultPath");
    expect(rewriteState({ Type: "Pass", InputPath: null, ResultPath: null })).toEqual({
      Type: "Pass",
      InputPath: null,
      ResultPath: null,
    });
  });

  it("compares values of one type only, and makes tests for false match", () => {
    const choice = {
      Type: "Choice",
      Choices: [
        { Variable: "$.n", NumericLessThan: 5, Next: "A" },
        { Not: { Variable: "$.s", IsString: false }, Next: "B" },
        { And: [{ Variable: "$$.Execution.Name", StringMatches: "a*" }], Next: "C" },
        { Variable: "$.s", StringEquals: "x", Next: "D" },
        { Variable: "$.t", TimestampEqualsPath: "$$.Execution.StartTime", Next: "E" },
      ],
    };
    expect(rewriteState(choice).Choices).toEqual([
      {
        And: [
          { Variable: "$.n", IsNumeric: true },
          { Variable: "$.n", NumericLessThan: 5 },
        ],
        Next: "A",
      },
      { Not: { Not: { Variable: "$.s", IsString: true } }, Next: "B" },
      {
        And: [
          {
            And: [
              { Variable: "$$.Root.Name", IsString: true },
              { Variable: "$$.Root.Name", StringMatches: "a*" },
            ],
          },
        ],
        Next: "C",
      },
      { Variable: "$.s", StringEquals: "x", Next: "D" },
      {
        And: [
          { Variable: "$.t", IsTimestamp: true },
          { Variable: "$.t", TimestampEqualsPath: "$$.Root.StartTime" },
        ],
        Next: "E",
      },
    ]);
  });

  it("keeps the absent members of a Fail state empty", () => {
    expect(rewriteState({ Type: "Fail", CausePath: "$.why" })).toEqual({ Type: "Fail", Error: "", CausePath: "$.why" });
    expect(rewriteState({ Type: "Fail", Error: "E" })).toEqual({ Type: "Fail", Error: "E", Cause: "" });
  });

  it("keeps a Pass result unchanged, whatever it resembles", () => {
    const state = { Type: "Pass", Result: { "a.$": "$$.Execution.Name", InputPath: "$" } };
    expect(rewriteState(state)).toEqual(state);
    expect(rewriteState({ Type: "Pass", Result: 0 })).toEqual({ Type: "Pass", Parameters: 0 });
  });
});

describe("rewriteTemplate", () => {
  it("moves paths into the execution's context, but not fixed texts and quoted names", () => {
    const template = {
      "a.$": "$$.Execution.Input.x",
      "b.$": "States.Format('$$.Execution {}', $$.Execution.Name)",
      c: "$$.Execution.Name",
      d: [{ "e.$": "$$.ExecutionX" }, { "f.$": "$['$$.Execution']" }],
    };
    expect(rewriteTemplate(template)).toEqual({
      "a.$": "$$.Root.Input.x",
      "b.$": "States.Format('$$.Execution {}', $$.Root.Name)",
      c: "$$.Execution.Name",
      d: [{ "e.$": "$$.ExecutionX" }, { "f.$": "$['$$.Execution']" }],
    });
  });
});

describe("rewriteContainer", () => {
  it("keeps a Map's input and output processing", () => {
    const map = {
      Type: "Map",
      ItemsPath: "$.list",
      ItemSelector: { "x.$": "$$.Map.Item.Value" },
      MaxConcurrency: 3,
      ItemProcessor: { StartAt: "A", States: {} },
      ResultPath: "$.out",
      Retry: [{ ErrorEquals: ["E"] }],
      Next: "After",
    };
    expect(rewriteContainer(map, { "items.$": "$.list" })).toEqual({
      Type: "Task",
      Resource: expect.stringMatching(/^arn:aws:lambda:/),
      TimeoutSeconds: 2_000_000,
      Parameters: { "items.$": "$.list" },
      ResultPath: "$.out",
      Retry: [{ ErrorEquals: ["E"] }],
      Next: "After",
    });
  });
});
