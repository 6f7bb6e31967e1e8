/** `sheaf/client` exports what the client's main file does. */
import { expect, it } from "vitest";
import * as client from "../../client/index.ts";
import { CLIENT_ENTRY, clientEntry } from "../generated/client-entry.ts";

it("`sheaf/client` has every value of the client, the same one", async () => {
  const name: string = "sheaf/client";
  const entry = await import(name);
  expect(Object.keys(entry).sort()).toEqual(Object.keys(client).sort());
  expect(entry.SheafClient.name).toBe("SheafClient");
});

it("the list of names stands on one line where it fits", () => {
  expect(clientEntry(["A", "B"]).get(CLIENT_ENTRY)).toContain("\nexport const { A, B } = client;\n");
});
