/** Amazon Textract, which the emulator lacks, played by this machine's own text recognition. */
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListFunctionsCommand,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import type { Ministack } from "../support/ministack.ts";
import { startTextractStub } from "../support/textract-stub.ts";

/** The steps that recognise text, by the descriptions of their functions. */
const RECOGNISING_FUNCTION_PATTERN = /the step (recognize|collect) of a run/;

/** Tells the deployed functions the service's address. @returns a function that ends it */
export async function connectTextract(emulator: Ministack): Promise<() => Promise<void>> {
  const s3 = new S3Client({ ...emulator.clientOptions, forcePathStyle: true });
  const engine = openLocalOcr({ clock: systemClock(), jobTimeoutSeconds: 120, langs: ["eng"], engine: "embedded" });
  const stub = await startTextractStub({
    engine,
    async getObject(Bucket, Key) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      if (Body === undefined) throw new Error(`${Bucket} has no ${Key}`);
      return Body.transformToByteArray();
    },
  });
  const lambda = new LambdaClient({ ...emulator.clientOptions });
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 200 }));
  const asking = Functions.filter(({ Description = "" }) => RECOGNISING_FUNCTION_PATTERN.test(Description));
  if (asking.length !== 2) throw new Error(`The stack has ${asking.length} functions that ask for text, not 2`);
  for (const { FunctionName } of asking) {
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const Variables = { ...Environment?.Variables, AWS_ENDPOINT_URL_TEXTRACT: stub.url };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  }
  lambda.destroy();
  return async () => {
    await stub.close();
    await engine.close();
    s3.destroy();
  };
}
