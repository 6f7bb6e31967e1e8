/** A candidate for the public result. */
import { readTemplate, type Template } from "../templates.ts";
import type { NodeKind } from "./node.ts";

export interface FinalNode {
  readonly type: "final";
  readonly output: Template;
}

export const final: NodeKind<FinalNode> = {
  computes: true,
  expected: () => 0,
  read(members) {
    const output = members.raw("output");
    if (output === undefined) return members.fault("output", "missing", 'A final node needs an "output"');
    // A bare id is a text here: an output is written in full.
    const template = readTemplate(output, members.at("output"), { members, nodeIds: new Set() });
    return template && Object.freeze({ type: "final", output: template });
  },
  templates: ({ output }) => [{ member: "output", template: output }],
};
