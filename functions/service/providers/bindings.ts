/** Bindings: the keys under which runs ask for a model or for text recognition, and the providers that answer. */
import { BadRequest, ConcurrentModification, ConditionFailed, NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  BINDINGS_KEY,
  type BindingsRecord,
  boundIds,
  KEYS_BY_KIND,
  KIND_NAMES,
  type ProviderKind,
  providerKey,
} from "./provider-records.ts";
import { listProviders, loadProvider } from "./providers.ts";

export interface BindingView {
  key: string;
  /** Null: the service's own. */
  providerId: number | null;
  providerName: string | null;
}

/** Tries of a binding that others change at the same time. */
const MAX_TRIES = 5;

export async function listBindings(org: Organization, kind: ProviderKind): Promise<BindingView[]> {
  const bound = boundIds((await org.records.get<BindingsRecord>(BINDINGS_KEY))?.value ?? {}, kind);
  const names = new Map((await listProviders(org, kind)).map(({ id, name }) => [id, name]));
  return KEYS_BY_KIND[kind].map((key) => {
    const id = bound[key];
    const name = id === undefined ? undefined : names.get(id);
    return { key, providerId: name === undefined ? null : (id ?? null), providerName: name ?? null };
  });
}

/** The provider to bind. @throws NotFound, BadRequest for one that cannot be asked yet */
async function bindable(org: Organization, kind: ProviderKind, id: number) {
  const found = await loadProvider(org, kind, id).catch((error: unknown) => {
    if (error instanceof NotFound) throw new NotFound(`There is no ${KIND_NAMES[kind]} ${id} to bind`);
    throw error;
  });
  const { value } = found;
  const missing =
    "endpoint" in value && value.endpoint === ""
      ? "endpoint"
      : "modelType" in value && value.deploymentName === "" && !/\/deployments\/[^/]/.test(String(value.apiUrl))
        ? "model"
        : undefined;
  if (missing !== undefined)
    throw new BadRequest(`${KIND_NAMES[kind]} ${id} has no ${missing}; set it before binding it`);
  return found;
}

/**
 * Binds a key to a provider.
 * @param id undefined: the key stands for the service's own again
 * @throws NotFound for an unknown key or provider; BadRequest; ConcurrentModification
 */
export async function bindKey(
  org: Organization,
  kind: ProviderKind,
  key: string,
  id: number | undefined,
): Promise<BindingView> {
  const known = KEYS_BY_KIND[kind];
  if (!known.includes(key))
    throw new NotFound(`There is no key ${JSON.stringify(key)}; the keys are ${known.join(", ")}`);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const provider = id === undefined ? undefined : await bindable(org, kind, id);
    const stored = await org.records.get<BindingsRecord>(BINDINGS_KEY);
    const { [key]: _, ...others } = boundIds(stored?.value ?? {}, kind);
    const value: BindingsRecord = {
      ...stored?.value,
      v: 1,
      [kind]: { ...others, ...(id === undefined ? {} : { [key]: id }) },
    };
    const condition = stored === undefined ? ({ ifAbsent: true } as const) : { ifVersion: stored.version };
    const check =
      provider === undefined
        ? []
        : [
            {
              kind: "check" as const,
              key: providerKey(kind, provider.value.id),
              condition: { ifVersion: provider.version },
            },
          ];
    try {
      await org.records.transact([{ kind: "put", key: BINDINGS_KEY, value, condition }, ...check]);
      org.observer.log("info", "provider bound", { organization: org.id, kind, key, provider: id ?? null });
      return { key, providerId: id ?? null, providerName: provider?.value.name ?? null };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ConcurrentModification("the bindings");
}
