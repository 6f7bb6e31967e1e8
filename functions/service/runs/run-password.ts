/**
 * The password of a run's document. It is sealed when the run is opened, in the same transaction; steps open it where
 * they read the document's bytes; the transaction that ends the run deletes it. The documents of a batch share the
 * password of the batch's run.
 */
import { AppError, JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import type { JobRecord, RunSummary } from "./job-records.ts";
import type { RunCommand } from "./run-command.ts";

/**
 * Most characters of a document's password. Encryption counts 127 bytes of it at most (ISO 32000-2, 7.6.4.3.3), which
 * programs cut longer ones to.
 */
export const MAX_PASSWORD_CHARACTERS = 1_000;

interface PasswordRecord extends RecordValue {
  v: 1;
  sealed: string;
}

const passwordKey = (guid: string, run: number): RecordKey => ({
  partition: `job/${guid}`,
  sort: `run/${String(run).padStart(6, "0")}/password`,
});

/** The seal is bound to the job, so that the record of one opens for no other. */
const purposeOf = (guid: string): string => `password/${guid}`;

/**
 * Seals the password of a command, where it has one.
 * @returns the operations that keep it, to be written with the run's opening; they depend on the run's number
 */
export async function sealPassword(
  org: Organization,
  guid: string,
  { password }: Pick<RunCommand, "password">,
): Promise<(run: number) => OrgOperation[]> {
  if (password === undefined) return () => [];
  const value: PasswordRecord = { v: 1, sealed: await org.documentVault.seal(password.reveal(), purposeOf(guid)) };
  return (run) => [{ kind: "put", key: passwordKey(guid, run), value, erasable: true }];
}

/** The operations that erase a run's password with the run's end. */
export const erasePassword = (job: JobRecord, { run, hasPassword }: RunSummary): OrgOperation[] =>
  hasPassword === true && job.batch === undefined
    ? [{ kind: "delete", key: passwordKey(job.guid, run), erase: true }]
    : [];

/** Opens the password of a run. @throws JobFailure where it is gone, or was sealed under another key */
export async function openPassword(org: Organization, job: JobRecord, run: RunSummary): Promise<string> {
  const guid = job.batch?.guid ?? job.guid;
  const record = await org.records.get<PasswordRecord>(passwordKey(guid, run.run));
  if (record === undefined) throw new JobFailure(JOB_SENTENCES.lostPassword);
  try {
    return await org.documentVault.open(record.value.sealed, purposeOf(guid));
  } catch (error) {
    // The service that holds the key may come back.
    if (error instanceof AppError && error.retryable) throw error;
    throw new JobFailure(JOB_SENTENCES.lostPassword, { cause: error });
  }
}
