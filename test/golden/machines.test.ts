/** The built-in machines against their golden bytes: `vitest run test/golden -u` writes them anew. */
import { describe, expect, it } from "vitest";
import { DOCUMENT_STEPS, documentMachine, MACHINE_TIMEOUT_SECONDS } from "../../statemachines/document.ts";

describe("the document machine", () => {
  it("is these bytes", async () => {
    const emitted = `${JSON.stringify(documentMachine(), null, 2)}\n`;
    await expect(emitted).toMatchFileSnapshot("./document-machine/machine.asl.json");
    expect(JSON.stringify(documentMachine())).toBe(JSON.stringify(documentMachine()));
  });

  it("catches everything but the end, and calls only its steps", () => {
    const { States, TimeoutSeconds } = documentMachine();
    expect(TimeoutSeconds).toBe(MACHINE_TIMEOUT_SECONDS);
    const called: string[] = [];
    for (const [name, state] of Object.entries(States)) {
      if (state.Type !== "Task") continue;
      called.push(state.Resource);
      if (name === "settle") expect(state).toMatchObject({ End: true });
      else
        expect(state.Catch?.at(-1)).toEqual({ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "settle" });
    }
    expect(called.sort()).toEqual(DOCUMENT_STEPS.map((step) => `\${${step}}`).sort());
  });
});
