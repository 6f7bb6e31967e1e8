/** Text recognition in the cloud. */
import { textractClient } from "../../functions/adapters/aws/clients.ts";
import { openTextract } from "../../functions/adapters/aws/textract.ts";
import type { OcrEngine } from "../../functions/ports/ocr.ts";
import { required } from "./environment.ts";
import type { Stores } from "./platform.ts";

export const textract = ({ env, clock, config: { jobTimeoutSeconds } }: Stores): OcrEngine =>
  openTextract({ client: textractClient(), clock, bucket: required(env, "SHEAF_BUCKET"), jobTimeoutSeconds });
