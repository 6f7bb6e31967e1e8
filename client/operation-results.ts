/** Results of operations, by type. */

/** The data of an operation's result. */
export interface OperationResults {
  "error-analysis": {
    analysis: {
      /** 0 to 1. */
      overall_confidence: number;
      field_confidence: { [field: string]: number };
      potential_issues: { field: string; issue: string; confidence: number; suggestion: string }[];
    };
    recommendations: { type: string; description: string }[];
  };
  "generative-task": {
    generated_text: string;
    model_used: string;
    prompt: string;
    processing_time_ms: number;
    token_usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  };
  "image-select": { selected: { id: string; score: number; reason: string }[] };
  "ocr-correct": { content: string; pages: { pageNumber: number; content: string; changes: number }[] };
  "pdf-acroform": FormWritten;
  "pdf-acroform-apply": FormWritten;
}

export type OperationType = keyof OperationResults;

interface FormWritten {
  writtenFieldCount: number;
  skippedFields: { fieldName: string; reason: string }[];
  warnings: string[];
}
