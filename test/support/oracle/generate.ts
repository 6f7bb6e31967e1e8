/** Random definitions with every member of the language, with outcomes for their nodes. */
import { Chance } from "./random.ts";
import type { Json, JsonObject, Scenario, Scripted } from "./scenario.ts";

const LONG = "Lieferanschrift ".repeat(20);
const WORDS = ["invoice", "safety_data_sheet", "other", "$12.50", "", LONG] as const;
const NUMBERS = [0, 1, 12.5, -3] as const;

/** Paths into a result; some find nothing in some results. */
const STEPS = [
  ".document_type",
  ".total",
  ".items[0].n",
  ".items.1.n",
  ".items",
  ".empty",
  ".missing",
  ".missing.deeper",
  "['a.b']",
  ".long",
  "",
  ".status",
  ".flag",
] as const;

const AROUND = [
  "$ocr.quality.category",
  "$ocr.quality.score",
  "$ocr.quality.escalate",
  "$ocr.quality",
  "$ocr.pages[0].content",
  "$ocr.pages.7.content",
  "$ocr.content",
  "$document.pageCount",
  "$document.fileName",
  "$.metadata.channel",
  "$.metadata.missing",
  "$.metadata.tags[1]",
  "$ocr",
] as const;

const FIXED_IDS = ["__proto__", "constructor", "toString", "0", "-", "x".repeat(128), `${"x".repeat(127)}y`] as const;

const SURROUNDINGS: Scenario["surroundings"] = {
  ocr: {
    content: "Invoice 7\nTotal 12.50",
    pages: [{ content: "Invoice 7" }, { content: "Total 12.50" }],
    quality: { category: "Likely Handwriting Problems", score: 0.52, escalate: true },
  },
  document: { guid: "7d7e1c9a", fileName: "invoice.pdf", mimeType: "application/pdf", pageCount: 2 },
  metadata: { channel: "mail", tags: ["a", "invoice"], nothing: null },
};

const literalOf = (text: string): string => (text.startsWith("$") ? `$${text}` : text);

/** Makes one definition. */
class Maker {
  readonly chance: Chance;
  /** Nodes in an order in which each refers only to earlier ones. */
  readonly ids: string[] = [];
  readonly #inputs: JsonObject = {};
  readonly #script = new Map<string, Scripted>();
  /** The shares of failing nodes and of nodes with a condition. */
  readonly #failing: number;
  readonly #asking: number;
  /** Many nodes with few dependencies, and a limit that delays them. */
  readonly #wide: boolean;

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.#failing = this.chance.of([0, 0, 0.1, 0.25]);
    this.#asking = this.chance.of([0.15, 0.35, 0.6]);
    this.#wide = this.chance.is(0.25);
  }

  scenario(): Scenario {
    const { chance } = this;
    const usual = chance.is(0.1) ? 40 : chance.is(0.3) ? 16 : 8;
    const count = this.#wide ? 4 + chance.below(12) : 1 + chance.below(usual);
    const nodes: JsonObject[] = [];
    for (let at = 0; at < count; at += 1) {
      nodes.push(this.#node(at, at === count - 1 && chance.is(0.9)));
      if (chance.is(0.15)) this.#declareInput();
    }
    const definition: JsonObject = { nodes: chance.is(0.5) ? chance.shuffle(nodes) : nodes };
    if (chance.is(0.5)) definition.version = "2026-05";
    if (Object.keys(this.#inputs).length > 0) definition.inputs = this.#inputs;
    this.#finals(definition, nodes);
    this.#execution(definition);
    return { definition, script: this.#script, surroundings: SURROUNDINGS };
  }

  #execution(definition: JsonObject): void {
    const { chance } = this;
    const most = this.#wide ? 2 + chance.below(2) : 1 + chance.below(4);
    if (this.#wide || chance.is(0.4)) definition.concurrency = { maxNodes: most };
    else if (chance.is(0.2)) definition.maxNodes = most;
    if (chance.is(0.15)) definition.execution = { mode: "queue" };
    else if (chance.is(0.05)) definition.executionMode = "QUEUE";
  }

  #finals(definition: JsonObject, nodes: readonly JsonObject[]): void {
    const { chance } = this;
    const own = nodes.filter(({ type }) => type === "final");
    if (own.length > 0 && chance.is(0.5)) return;
    const others = nodes.filter(({ type }) => type !== "final");
    const picked = [...own.filter(() => chance.is(0.8)), ...chance.some(others, own.length === 0 ? 4 : 1)];
    const ids = (picked.length > 0 ? chance.shuffle(picked) : nodes.slice(-1)).map(({ id = "" }) => id);
    if (chance.is(0.8)) definition.finals = ids.map((id) => (chance.is(0.8) ? { node: id } : id));
    else definition.finalOrder = ids;
  }

  #declareInput(): void {
    const { chance } = this;
    const name = chance.of(["limit", "seller", "a.b", "__proto__"]);
    const value: Json = { list: [1, { "a/b": "invoice" }], word: chance.of(WORDS) };
    const pointer = chance.of(["", "/list/1/a~1b", "/word", "/missing", "/list/0"]);
    const nodeId = chance.of([this.ids[0] ?? "", ...this.ids]);
    const made = chance.of<Json>([
      { kind: "literal", value, pointer },
      { kind: "nodeArtifact", nodeId, pointer: chance.of(["", "/document_type", "/items/0/n"]) },
      chance.of(NUMBERS),
      value,
    ]);
    // Its readers depend on the same node as before.
    if (!Object.hasOwn(this.#inputs, name))
      Object.defineProperty(this.#inputs, name, { value: made, enumerable: true });
  }

  #newId(at: number): string {
    const id = this.chance.is(0.12) ? this.chance.of(FIXED_IDS) : `${this.chance.of(["n", "Extract-", "_step_"])}${at}`;
    return this.ids.includes(id) ? `node-${at}` : id;
  }

  /** A path to something that is known before the current node. */
  #path(): string {
    const { chance, ids } = this;
    const inputs = Object.keys(this.#inputs).map((name) => (name.includes(".") ? `['${name}']` : `.${name}`));
    if (ids.length === 0 || chance.is(0.15)) return chance.of(AROUND);
    if (inputs.length > 0 && chance.is(0.15)) {
      return `$inputs${chance.of([inputs[0] ?? "", ...inputs])}${chance.of(["", ".word", ".list[0]", ".document_type"])}`;
    }
    const id = chance.of([ids.at(-1) ?? "", ...ids]);
    if (chance.is(0.15)) return `$nodes.${id}.status`;
    const steps = chance.of(STEPS);
    const member = chance.is(0.7) || steps === ".status" ? ".result" : "";
    return `$nodes.${id}${member}${steps}`;
  }

  #literal(): Json {
    const { chance } = this;
    const list: Json = [{ n: 1 }, { n: 2 }];
    const simple: Json = chance.of<Json>([true, false, null, list, "COMPLETED", "SKIPPED", "FAILED", "mail"]);
    return chance.of<Json>([literalOf(chance.of(WORDS)), literalOf(chance.of(WORDS)), chance.of(NUMBERS), simple]);
  }

  #condition(depth = 0): Json {
    const { chance } = this;
    const kind = chance.of([
      "eq",
      "eq",
      "eq",
      "ne",
      "exists",
      depth < 3 ? "not" : "eq",
      depth < 3 ? "and" : "ne",
      "or",
    ]);
    if (kind === "exists") return { exists: this.#path() };
    if (kind === "not") return { not: this.#condition(depth + 1) };
    if (depth < 3 && (kind === "and" || kind === "or")) {
      return { [kind]: Array.from({ length: 1 + chance.below(3) }, () => this.#condition(depth + 1)) };
    }
    const operand = (): Json => (chance.is(0.25) ? this.#path() : this.#literal());
    const pair = chance.is(0.05) ? [this.#literal(), this.#literal()] : chance.shuffle<Json>([this.#path(), operand()]);
    return { [kind === "ne" ? "ne" : "eq"]: pair };
  }

  #template(depth = 0): Json {
    const { chance } = this;
    if (depth < 2 && chance.is(0.3)) return Array.from({ length: chance.below(3) }, () => this.#template(depth + 1));
    if (depth < 2 && chance.is(0.5)) {
      const members = chance.some(["data", "branch", "a.b", "__proto__"], 3);
      return Object.fromEntries(members.map((name) => [name, this.#template(depth + 1)]));
    }
    return chance.is(0.7) ? this.#path() : this.#literal();
  }

  #node(at: number, isFinal: boolean): JsonObject {
    const { chance, ids } = this;
    const id = this.#newId(at);
    const types = [
      "extract",
      "extract",
      "extract",
      "validate",
      "transform",
      "OCR_CORRECT",
      "operation",
      "final",
    ] as const;
    const type = isFinal ? "final" : this.#wide && chance.is(0.6) ? "extract" : chance.of(types);
    const node: JsonObject = { id, type, ...this.#body(type) };
    const before = chance.is(0.7) ? ids.slice(-4) : ids;
    if (chance.is(this.#wide ? 0.3 : 0.7)) node.dependsOn = chance.some(before, chance.of([1, 2, 3]));
    if (chance.is(this.#wide ? 0.1 : this.#asking)) node.when = this.#condition();
    if (chance.is(0.3)) node.onError = chance.of(["continue", "continue", "fail"]);
    if (chance.is(0.1)) node.timeoutSeconds = 60 + chance.below(60);
    ids.push(id);
    this.#script.set(id, this.#scripted(node.onError === "continue" ? 0.3 : this.#failing));
    return node;
  }

  #body(type: string): JsonObject {
    const { chance, ids } = this;
    const source =
      ids.length === 0 ? "$ocr.content" : chance.of(["$ocr.content", this.#path(), chance.of([ids[0] ?? "", ...ids])]);
    switch (type) {
      case "extract":
        return {
          ...(chance.is(this.#wide ? 0.2 : 0.5) ? { source } : {}),
          ...(chance.is(0.2) ? { input: this.#template() } : {}),
        };
      case "OCR_CORRECT":
        return chance.is(0.5) ? { source } : { input: source };
      case "validate":
        return {
          validator: "bucket",
          input: this.#path(),
          config: { buckets: [{ name: "low", max: 3 }], default: "none" },
        };
      case "transform":
        return chance.is(0.5)
          ? { transform: "merge", input: ids.length > 0 ? chance.some(ids, 3) : [] }
          : { transform: "pick", input: this.#path(), config: { fields: ["total"] } };
      case "operation":
        return { operation: "redact", ...(chance.is(0.5) ? { input: this.#template() } : {}) };
      default:
        return { output: chance.is(0.1) && ids.length > 0 ? chance.of([ids[0] ?? "", ...ids]) : this.#template() };
    }
  }

  #scripted(failing: number): Scripted {
    const { chance } = this;
    const result: Json = chance.of<Json>([
      this.#object(),
      this.#object(),
      this.#object(),
      null,
      "invoice",
      [this.#object()],
      { bucket: "low", value: 1 },
    ]);
    const failure = chance.is(failing) ? { failure: `The model said no ${chance.below(1000)} times` } : {};
    return { seconds: 1 + chance.below(9), result, ...failure };
  }

  #object(): JsonObject {
    const { chance } = this;
    const members: [string, Json][] = [
      ["document_type", chance.of(WORDS)],
      ["total", chance.of(NUMBERS)],
      ["items", chance.of<Json>([[{ n: 1 }, { n: 2 }], [], null])],
      ["empty", null],
      ["a.b", chance.of(WORDS)],
      ["long", LONG],
      ["flag", chance.is(0.5)],
      ["status", "COMPLETED"],
    ];
    return Object.fromEntries(members.filter(() => chance.is(0.8)));
  }
}

/** The same seed gives the same scenario. */
export const generateScenario = (seed: number): Scenario => new Maker(seed).scenario();
