/**
 * What LiteLLM reads in its config.yaml and in its table of the same settings
 * (docs.litellm.ai/docs/proxy/config_settings, 2026-11).
 */
import { isObject } from '../../kernel/json.ts';
import { toTrimmed } from '../convert.ts';
import { rowsOf } from '../rows-of.ts';
import type { Run } from '../run-context.ts';
import type { LitellmInput } from './input.ts';
import type { OldSecrets } from './secrets.ts';

type Members = Readonly<Record<string, unknown>>;

export interface OldSettings {
  readonly general: Members;
  readonly router: Members;
  readonly litellm: Members;
  readonly models: readonly Members[];
  /** By name, their values. */
  readonly credentials: ReadonlyMap<string, Members>;
  /** Undefined: nobody knows it. */
  readonly variable: (name: string) => string | undefined;
}

export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((text) => typeof text === 'string');

/** The master key, where it is written down. */
export function masterKeyOf({ config, environment }: LitellmInput): string {
  const { master_key: key } = membersOf(membersOf(config)['general_settings']);
  const name = typeof key === 'string' ? /^os\.environ\/(.+)$/.exec(key)?.[1] : undefined;
  if (name !== undefined) return environment[name] ?? '';
  return typeof key === 'string' ? key : (environment['LITELLM_MASTER_KEY'] ?? '');
}

export async function readSettings(
  run: Pick<Run, 'source' | 'tables' | 'batch'>,
  { config, environment }: LitellmInput,
  secrets: OldSecrets,
): Promise<OldSettings> {
  const file = membersOf(config);
  const stored = new Map<string, Members>();
  for await (const row of rowsOf(run, 'LiteLLM_Config', 'param_name'))
    stored.set(toTrimmed(row['param_name']), membersOf(row['param_value']));
  // What the database has wins, as it does there.
  const part = (name: string): Members => ({ ...membersOf(file[name]), ...stored.get(name) });
  const credentials = new Map<string, Members>();
  for (const entry of listOf(file['credential_list']).map(membersOf))
    credentials.set(String(entry['credential_name']), membersOf(entry['credential_values']));
  for await (const row of rowsOf(run, 'LiteLLM_CredentialsTable', 'credential_id'))
    credentials.set(
      toTrimmed(row['credential_name']),
      opened(membersOf(row['credential_values']), secrets),
    );
  const variables = {
    ...environment,
    ...membersOf(file['environment_variables']),
    ...opened(stored.get('environment_variables') ?? {}, secrets),
  };
  return {
    general: part('general_settings'),
    router: part('router_settings'),
    litellm: part('litellm_settings'),
    models: listOf(file['model_list']).map(membersOf),
    credentials,
    variable: (name) => {
      const value = variables[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
  };
}

/** Every text may be encrypted; one that cannot be read is left out. */
export function opened(members: Members, secrets: OldSecrets): Members {
  const entries = Object.entries(members).map(
    ([name, value]) => [name, typeof value === 'string' ? secrets.read(value) : value] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
