/** The names of all operations, apart from what they do: who only checks a name carries none of that. */
export const OPERATION_TYPES = ["error-analysis", "generative-task", "image-select", "ocr-correct"] as const;
