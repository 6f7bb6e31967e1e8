import { describe, expect, it } from "vitest";
import { failuresIn, fitsAsSent } from "../../bench/fuzz/schemathesis.ts";

/** As the tool prints it. */
const printed = (violations: string, { title = "ST201 Schema-violating request accepted", type = "" } = {}): string => `
1. Test Case ID: Z8Aaa6

- ${title}

    Invalid data should have been rejected
    Expected: 4xx, 5xx
    Invalid component: ${violations}

[200] OK:

    \`{"guid":"01a20869","status":"PENDING"}\`

Reproduce with:

    curl -X POST -H 'Content-Type: ${type || "multipart/form-data; boundary=44"}' -d $'--44' http://127.0.0.1:1/document/upload

    st replay Z8Aaa6
`;
const TYPE = "violates `type` at /properties/document (was string, became integer)";
const taken = (violations: string, more = {}): boolean[] => failuresIn(printed(violations, more)).map(fitsAsSent);

describe("a form's part that the tool made as a number", () => {
  it("is the text that the document asks for, alone and beside others", () => {
    expect(taken(`in body - ${TYPE}`)).toEqual([true]);
    expect(
      taken(`in body\n      - ${TYPE}\n      - violates \`type\` at /properties/password (was string, became null)`),
    ).toEqual([true]);
    expect(taken(`\n      - body: ${TYPE}`)).toEqual([true]);
    expect(taken(`\n      - query: violates \`additionalProperties\`\n      - body: ${TYPE}`)).toEqual([true]);
  });

  it("stays a failure beside any other violation, in JSON, and under another title", () => {
    expect(taken(`in body\n      - ${TYPE}\n      - violates \`required\` at /properties/document`)).toEqual([false]);
    expect(taken(`\n      - body: ${TYPE}\n      - query: violates \`maxLength\` at /properties/text`)).toEqual([
      false,
    ]);
    expect(taken(`parameter \`bom\` in query - ${TYPE}`)).toEqual([false]);
    expect(taken(`parameters \`a\`, \`b\` in query\n      - ${TYPE}`)).toEqual([false]);
    expect(taken("in body - Invalid syntax: random bytes")).toEqual([false]);
    expect(taken(`in body - ${TYPE}`, { type: "application/json" })).toEqual([false]);
    expect(taken(`in body - ${TYPE}`, { title: "ST101 Server error" })).toEqual([false]);
    expect(failuresIn(printed("in body - nothing")).map(fitsAsSent)).toEqual([false]);
  });
});
