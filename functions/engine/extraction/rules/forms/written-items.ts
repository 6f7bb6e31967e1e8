/** Lists of a form: print is no item. */
import type { Token } from "../../../structure/view/tokens.ts";
import { nullNode, type ResultNode } from "../findings.ts";

function withoutPrint(node: ResultNode, written: ReadonlySet<Token>): ResultNode {
  if (node.kind === "found") return node.finding.tokens.some((token) => written.has(token)) ? node : nullNode();
  if (node.kind === "list") return { kind: "list", items: writtenItems(node.items, written) };
  if (node.kind !== "object") return node;
  return {
    kind: "object",
    members: node.members.map(([name, member]) => [name, withoutPrint(member, written)]),
  };
}

const isEmpty = (node: ResultNode): boolean =>
  node.kind === "plain"
    ? node.value === null || node.reason === "constant"
    : node.kind === "list"
      ? node.items.length === 0
      : node.kind === "object" && node.members.every(([, member]) => isEmpty(member));

/** The items of a list without values that are printed on the form; items of nothing else are dropped. */
export const writtenItems = (items: readonly ResultNode[], written: ReadonlySet<Token>): ResultNode[] =>
  items.map((item) => withoutPrint(item, written)).filter((item) => !isEmpty(item));
