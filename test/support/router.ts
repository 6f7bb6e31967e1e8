/** Example pipelines: the router, which tells invoices from safety data sheets, with a text for it. */

const isType = (type: string) => ({ eq: ["$nodes.classify.result.document_type", type] });

/** @param more members of the definition, such as its execution */
export const router = (more: object = {}) => ({
  version: "2026-05",
  description: "routes invoices and safety data sheets",
  ocr: { mode: "AUTO", sourceLocations: true },
  concurrency: { maxNodes: 2 },
  nodes: [
    {
      id: "classify",
      type: "extract",
      source: "$ocr.content",
      prompt: "What kind of document is this?",
      schema: {
        type: "object",
        properties: { document_type: { type: "string", enum: ["invoice", "safety_data_sheet", "other"] } },
        required: ["document_type"],
      },
      llm: { tier: "nano" },
    },
    {
      id: "extract_invoice",
      type: "extract",
      dependsOn: ["classify"],
      when: isType("invoice"),
      schema: {
        type: "object",
        properties: { invoice_number: { type: "string" }, net_total: { type: "number" } },
      },
    },
    {
      id: "extract_sds",
      type: "extract",
      dependsOn: ["classify"],
      when: isType("safety_data_sheet"),
      schema: { type: "object", properties: { product_name: { type: "string" }, signal_word: { type: "string" } } },
    },
    {
      id: "invoice_final",
      type: "final",
      dependsOn: ["classify", "extract_invoice"],
      when: isType("invoice"),
      output: { branch: "invoice", data: "$nodes.extract_invoice.result" },
    },
    {
      id: "sds_final",
      type: "final",
      dependsOn: ["classify", "extract_sds"],
      when: isType("safety_data_sheet"),
      output: { branch: "safety_data_sheet", data: "$nodes.extract_sds.result" },
    },
    { id: "other_final", type: "final", dependsOn: ["classify"], output: { branch: "other" } },
  ],
  finals: [{ node: "invoice_final" }, { node: "sds_final" }, { node: "other_final" }],
  ...more,
});

/** The statuses of the nodes by id. */
export const statesOf = (nodes: { id: string; status: string }[]): Record<string, string> =>
  Object.fromEntries(nodes.map(({ id, status }) => [id, status]));

export const INVOICE_STATES = {
  classify: "COMPLETED",
  extract_invoice: "COMPLETED",
  extract_sds: "SKIPPED",
  invoice_final: "COMPLETED",
  sds_final: "SKIPPED",
  other_final: "SKIPPED",
};

export const SHEET_STATES = {
  classify: "COMPLETED",
  extract_invoice: "SKIPPED",
  extract_sds: "COMPLETED",
  invoice_final: "SKIPPED",
  sds_final: "COMPLETED",
  other_final: "SKIPPED",
};

export const SAFETY_DATA_SHEET = `SAFETY DATA SHEET
according to Regulation (EC) No 1907/2006

SECTION 1: Identification of the substance/mixture and of the company
Product name: Lemon Cleaner 500
Product code: LC-500
Supplier: Harbour Chemicals Ltd

SECTION 2: Hazards identification
Signal word: Warning
Hazard statements: H319 Causes serious eye irritation

SECTION 3: Composition/information on ingredients
Citric acid 5-10 %
`;

/** The command that processes a document with a pipeline. */
export const command = (pipeline: object, more: object = {}) => ({ extractionMode: "PIPELINE", pipeline, ...more });
