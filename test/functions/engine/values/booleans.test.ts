import { describe, expect, it } from "vitest";
import { leadingTick, parseBoolean } from "../../../../functions/engine/values/booleans.ts";

describe("parseBoolean", () => {
  it.each(["yes", "Yes", "JA", "oui", "sí", "si", "x", "X", "☑", "☒", "✓", "[x]", "[ X ]", "true", "vrai"])(
    "%j is yes",
    (text) => {
      expect(parseBoolean(text)).toBe(true);
    },
  );
  it.each(["no", "No", "nein", "non", "nee", "☐", "[ ]", "[]", "( )", "false", "falsch"])("%j is no", (text) => {
    expect(parseBoolean(text)).toBe(false);
  });
  it.each(["", "maybe", "1", "number", "yesterday", "–"])("%j is neither", (text) => {
    expect(parseBoolean(text)).toBeNull();
  });
});

describe("leadingTick", () => {
  it("reads a box before its caption", () => {
    expect(leadingTick("☑ Paid")).toBe(true);
    expect(leadingTick("[ ] Paid")).toBe(false);
    expect(leadingTick("Paid ☑")).toBeNull();
  });
});
