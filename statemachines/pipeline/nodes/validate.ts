/** Sorts a number into a bucket for conditions, which have no numeric operators. */
import { isObject, type Json, pointTo } from "../diagnostics.ts";
import { MemberReader } from "../members.ts";
import { readTemplate, type Template } from "../templates.ts";
import type { NodeKind } from "./node.ts";

export interface Bucket {
  readonly name: string;
  /** Both inclusive; null: unbounded. */
  readonly min: number | null;
  readonly max: number | null;
}

export interface ValidateNode {
  readonly type: "validate";
  readonly validator: "bucket";
  readonly input: Template;
  readonly buckets: readonly Bucket[];
  /** The value for numbers without a bucket and for anything else. */
  readonly otherwise: Json;
}

const MAX_BUCKETS = 200;

function readBound(bucket: MemberReader, name: "min" | "max"): number | null {
  const found = bucket.take(name);
  if (found === undefined) return null;
  if (typeof found.value === "number") return found.value;
  bucket.fault(name, "wrong-type", `"${name}" must be a number`);
  return null;
}

function readBuckets(members: MemberReader): Bucket[] | undefined {
  const found = members.list("buckets", MAX_BUCKETS);
  if (found === undefined) return undefined;
  const path = members.at("buckets");
  return found.items.flatMap((item, at): Bucket[] => {
    const own = pointTo(path, at);
    if (!isObject(item)) {
      members.findings.fault("wrong-type", own, "A bucket is an object with a name, and min or max");
      return [];
    }
    const bucket = new MemberReader(item, own, members.findings);
    const name = bucket.text("name", { maxLength: 200, description: "a text" });
    if (name === undefined && item.name === undefined) bucket.fault("name", "missing", "A bucket needs a name");
    const [min, max] = [readBound(bucket, "min"), readBound(bucket, "max")];
    if (min !== null && max !== null && min > max) {
      bucket.fault("max", "out-of-range", `"max" must not be below "min"`);
    }
    bucket.warnOfOthers();
    return name === undefined ? [] : [Object.freeze({ name, min, max })];
  });
}

export const validate: NodeKind<ValidateNode> = {
  computes: true,
  expectedSeconds: () => 0,
  read(members, scope) {
    const validator = members.oneOf("validator", ["bucket"]);
    if (validator === undefined && members.take("validator") === undefined) {
      members.fault("validator", "missing", 'A validate node needs a "validator"; there is bucket');
    }
    const rule = { members, nodeIds: scope.nodeIds };
    const input = members.raw("input");
    if (input === undefined) members.fault("input", "missing", 'A validate node needs an "input"');
    const config = members.object("config");
    const inside = config && readBuckets(config);
    const beside = readBuckets(members);
    if (inside !== undefined && beside !== undefined) members.ignore("buckets", members.at("config"));
    const buckets = inside ?? beside;
    const isMissing = [config, members].every((one) => one?.take("buckets") === undefined);
    if (isMissing && members.isFit("config")) {
      members.fault("config", "missing", 'A validate node needs "config" with "buckets"');
    }
    const [first, second] = [config?.raw("default"), members.raw("default")];
    if (first !== undefined && second !== undefined) members.ignore("default", members.at("config"));
    const otherwise = first ?? second ?? null;
    config?.warnOfOthers();
    const template = input === undefined ? undefined : readTemplate(input, members.at("input"), rule);
    if (template === undefined || buckets === undefined) return undefined;
    return Object.freeze({
      type: "validate",
      validator: "bucket",
      input: template,
      buckets: Object.freeze(buckets),
      otherwise,
    });
  },
  templates: ({ input }) => [{ member: "input", template: input }],
};
