/** The gateway's authorizer where the API is behind CloudFront. */
import { secretsClient } from "../../../functions/adapters/aws/clients.ts";
import { openSecrets } from "../../../functions/adapters/aws/secrets.ts";
import { systemClock } from "../../../functions/adapters/local/clock.ts";
import { makeEdgeGuard } from "../edge-guard.ts";
import { lazily, required } from "../environment.ts";

const secrets = lazily(() => openSecrets({ client: secretsClient(), clock: systemClock() }));

export const handler = makeEdgeGuard(() => secrets().text(required(process.env, "SHEAF_EDGE_SECRET")));
