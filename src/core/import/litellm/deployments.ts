/** Deployments of LiteLLM: what answers to a model's name. */
import { toTrimmed } from '../convert.ts';
import { rowsOf } from '../rows-of.ts';
import type { Run } from '../run-context.ts';
import type { OldSecrets } from './secrets.ts';
import { membersOf, type OldSettings, opened, textsOf } from './settings.ts';
import { type Vendor, vendorOf, vendors } from './vendors.ts';

export interface Deployment {
  /** What log rows name it by; '': nobody knows. */
  readonly id: string;
  /** What clients ask for, and the vendor's name of it. */
  readonly name: string;
  readonly model: string;
  readonly vendor: string;
  readonly known: Vendor | undefined;
  /** The region that the name of the model has. */
  readonly region: string | undefined;
  /** In clear, with its credential's values, and what variables stand for. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly info: Readonly<Record<string, unknown>>;
  /** Variables that nobody knows. */
  readonly missing: readonly string[];
  readonly isBlocked: boolean;
  readonly createdAt: SourceTime;
}
type SourceTime = string;

/** Those of the file first, then those of the database by their age. */
export async function readDeployments(
  run: Pick<Run, 'source' | 'tables' | 'batch'>,
  settings: OldSettings,
  secrets: OldSecrets,
): Promise<readonly Deployment[]> {
  const found = settings.models.map((entry) =>
    deploymentOf(
      toText(entry['model_name']),
      membersOf(entry['litellm_params']),
      membersOf(entry['model_info']),
      settings,
    ),
  );
  const stored: Deployment[] = [];
  for await (const row of rowsOf(run, 'LiteLLM_ProxyModelTable', 'model_id')) {
    const params = opened(membersOf(row['litellm_params']), secrets);
    const deployment = deploymentOf(
      toTrimmed(row['model_name']),
      params,
      membersOf(row['model_info']),
      settings,
    );
    stored.push({
      ...deployment,
      id: toTrimmed(row['model_id']),
      isBlocked: row['blocked'] === true,
      createdAt: toTrimmed(row['created_at']),
    });
  }
  const byAge = (one: Deployment, other: Deployment) =>
    compare(one.createdAt, other.createdAt) || compare(one.id, other.id);
  return [...found, ...stored.sort(byAge)];
}

export const compare = (one: string, other: string): number =>
  one < other ? -1 : one > other ? 1 : 0;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

const reference = /^os\.environ\/(.+)$/;

function deploymentOf(
  name: string,
  given: Readonly<Record<string, unknown>>,
  info: Readonly<Record<string, unknown>>,
  settings: OldSettings,
): Deployment {
  const missing: string[] = [];
  const credential = settings.credentials.get(toText(given['litellm_credential_name']));
  const resolved = Object.entries({ ...credential, ...given }).map(([member, value]) => {
    const variable = typeof value === 'string' ? reference.exec(value)?.[1] : undefined;
    if (variable === undefined) return [member, value] as const;
    const text = settings.variable(variable);
    if (text === undefined) missing.push(variable);
    return [member, text] as const;
  });
  const params: Record<string, unknown> = Object.fromEntries(
    resolved.filter(([, value]) => value !== undefined && value !== null),
  );
  const provider = toText(params['custom_llm_provider']) || undefined;
  const { vendor, model, region } = vendorOf(toText(params['model']), provider);
  const known = Object.hasOwn(vendors, vendor) ? vendors[vendor] : undefined;
  return {
    id: toText(info['id']),
    name,
    model,
    vendor,
    known,
    region,
    params,
    info,
    missing,
    isBlocked: false,
    createdAt: '',
  };
}

/** What names of models in the lists of keys, teams and users stand for. */
export class ModelNames {
  readonly #names: ReadonlySet<string>;
  readonly #groups = new Map<string, string[]>();

  constructor(deployments: readonly Deployment[], aliases: readonly string[]) {
    this.#names = new Set([...deployments.map(({ name }) => name), ...aliases]);
    for (const { name, info } of deployments)
      for (const group of textsOf(info['access_groups']))
        this.#groups.set(group, [...(this.#groups.get(group) ?? []), name]);
  }

  /** Undefined: all models. A name that ends in `*` stands for those that begin so. */
  allowed(list: readonly string[]): ReadonlySet<string> | undefined {
    if (list.length === 0 || list.includes('all-proxy-models') || list.includes('*'))
      return undefined;
    const own = list.filter((name) => name !== 'no-default-models');
    return new Set(own.flatMap((name) => this.#expand(name)));
  }

  #expand(name: string): readonly string[] {
    const group = this.#groups.get(name);
    if (group !== undefined) return group;
    if (!name.endsWith('*')) return [name];
    const start = name.slice(0, -1);
    return [...this.#names].filter((one) => one.startsWith(start));
  }
}
