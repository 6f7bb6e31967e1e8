/** A candidate for the public result. */
import { readTemplate, type Template } from "../templates.ts";
import type { NodeKind } from "./node.ts";

export interface FinalNode {
  readonly type: "final";
  readonly output: Template;
}

export const final: NodeKind<FinalNode> = {
  computes: true,
  expectedSeconds: () => 0,
  read(members, { nodeIds }) {
    const output = members.raw("output");
    if (output === undefined) return members.fault("output", "missing", 'A final node needs an "output"');
    // An id that is the whole output means the node's result, as clients write it; deeper it is a text: `branch` and
    // the like often equal a node's id.
    const whole = typeof output === "string" ? nodeIds : new Set<string>();
    const template = readTemplate(output, members.at("output"), { members, nodeIds: whole });
    return template && Object.freeze({ type: "final", output: template });
  },
  templates: ({ output }) => [{ member: "output", template: output }],
};
