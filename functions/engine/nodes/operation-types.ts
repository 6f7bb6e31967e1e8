/** Names of all operations, in a file of their own, so that checks of a name do not import the operations. */
export const OPERATION_TYPES = [
  "error-analysis",
  "generative-task",
  "image-select",
  "ocr-correct",
  "pdf-acroform",
  "pdf-acroform-apply",
] as const;
