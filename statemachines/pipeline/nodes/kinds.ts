/** All kinds of nodes by type. */
import type { NodeBody, NodeType } from "../definition.ts";
import type { Template } from "../templates.ts";
import { extract } from "./extract.ts";
import { final } from "./final.ts";
import type { NodeKind } from "./node.ts";
import { ocrCorrect } from "./ocr-correct.ts";
import { operation } from "./operation.ts";
import { transform } from "./transform.ts";
import { validate } from "./validate.ts";

const NODE_KINDS = { extract, validate, transform, OCR_CORRECT: ocrCorrect, operation, final } satisfies Record<
  NodeType,
  unknown
>;

export const NODE_TYPES = Object.keys(NODE_KINDS) as NodeType[];

export const kindOf = <Body extends NodeBody>(type: Body["type"]): NodeKind<Body> =>
  NODE_KINDS[type] as unknown as NodeKind<Body>;

/** True for compute nodes: they take no time and do not count towards the concurrency limit. */
export const computes = (node: NodeBody): boolean => kindOf(node.type).computes;

/** Expected duration in seconds. */
export const expectedSecondsOf = (node: NodeBody): number => kindOf(node.type).expectedSeconds(node);

/** The templates of a node; their references are dependencies. */
export const templatesOf = (node: NodeBody): readonly { member: string; template: Template }[] =>
  kindOf(node.type).templates(node);
