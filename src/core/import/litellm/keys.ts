/** Keys of LiteLLM become tokens (docs/rules/import.md#litellm-keys). */
import { digestMark } from '../../vocabulary/key-digests.ts';
import { tokenStatuses } from '../../vocabulary/statuses.ts';
import { toSeconds, toTrimmed } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import { tokensMapping } from '../mapping/tokens.ts';
import { rowsOf } from '../rows-of.ts';
import type { Run } from '../run-context.ts';
import type { SourceRow } from '../source/source.ts';
import type { Account, Accounts } from './accounts.ts';
import { compare, type ModelNames } from './deployments.ts';
import { textsOf } from './settings.ts';

export const keyTable = 'LiteLLM_VerificationToken';

export interface OldKey {
  readonly id: number;
  readonly name: string;
  readonly owner: Account;
  /** Neither its team nor its user is there. */
  readonly isNobodys: boolean;
  /** The digest, which log rows name it by. */
  readonly digest: string;
  readonly row: SourceRow;
}

/** By age. A master key that is written down comes first. */
export async function readKeys(
  run: Pick<Run, 'source' | 'tables' | 'batch'>,
  { root, users, teams }: Accounts,
  masterKey: string,
): Promise<readonly OldKey[]> {
  const found: SourceRow[] = [];
  for await (const row of rowsOf(run, keyTable, 'token')) found.push(row);
  const age = (row: SourceRow) => `${toTrimmed(row['created_at'])} ${toTrimmed(row['token'])}`;
  found.sort((one, other) => compare(age(one), age(other)));
  if (masterKey !== '') found.unshift({ key: masterKey, key_alias: 'master key', spend: 0 });
  return found.map((row, index) => {
    const id = index + 1;
    const alias = toTrimmed(row['key_alias']) || toTrimmed(row['key_name']) || `key ${id}`;
    const owner = teams.get(toTrimmed(row['team_id'])) ?? users.get(toTrimmed(row['user_id']));
    return {
      id,
      name: [...alias].slice(0, 50).join(''),
      owner: owner ?? root,
      isNobodys: owner === undefined && row['token'] !== undefined,
      digest: toTrimmed(row['token']),
      row,
    };
  });
}

export const keyRows = (keys: readonly OldKey[]): readonly SourceRow[] =>
  keys.map(({ id, name, owner, digest, row }) => ({
    key: `${digestMark}${digest}`,
    ...row,
    id,
    name,
    owner: owner.id,
  }));

export const keySums = { [keyTable]: ['spend'] };

export const keysFrom = (keys: readonly OldKey[], names: ModelNames): TableMapping => ({
  ...tokensMapping,
  source: 'keys',
  columns: {
    id: { as: 'integer' },
    user_id: { from: 'owner', as: 'integer' },
    key: { as: 'trimmed' },
    name: { as: 'trimmed' },
    created_time: { from: 'created_at', as: 'instant' },
    accessed_time: { from: 'last_active', as: 'instant' },
    used_quota: { from: 'spend', as: 'money' },
  },
  alsoRead: [
    'token',
    'key_alias',
    'key_name',
    'user_id',
    'team_id',
    'expires',
    'models',
    'blocked',
    'max_budget',
    'budget_duration',
    'budget_reset_at',
    'max_parallel_requests',
    'tpm_limit',
    'rpm_limit',
    'model_max_budget',
    'budget_limits',
    'budget_id',
    'metadata',
    'updated_at',
    // How they fared, and who made them.
    'model_spend',
    'soft_budget_cooldown',
    'created_by',
    'updated_by',
    'rotation_count',
    'last_rotation_at',
    'key_rotation_at',
    'object_permission_id',
    'organization_id',
  ],
  figures: ['used_quota'],
  refine(context, notes) {
    const finish = tokensMapping.refine?.(context, notes);
    const byId = new Map(keys.map((key) => [key.id, key]));
    return (draft, source) => {
      const named = `${draft['id']} ${draft['name']}`;
      const key = byId.get(Number(draft['id']));
      if (key?.isNobodys) notes.add('key_of_nobody', named);
      const own = textsOf(source['models']).filter((name) => name !== 'all-team-models');
      const lists = [own, textsOf(key?.owner.row['models'])].map((list) => names.allowed(list));
      const models = intersection(lists);
      const expires = toSeconds(source['expires']);
      return (
        finish?.(
          {
            ...draft,
            status: source['blocked'] === true ? tokenStatuses.disabled : tokenStatuses.enabled,
            expired_time: expires === 0 ? -1 : expires,
            remain_quota: 0,
            unlimited_quota: 1,
            model_limits_enabled: models === undefined ? 0 : 1,
            model_limits: models === undefined ? '' : [...models].sort().join(','),
            allow_ips: '',
            group: '',
            deleted_at: null,
          },
          {},
        ) ?? null
      );
    };
  },
});

/** Of lists of models, of which undefined is all. */
function intersection(
  lists: readonly (ReadonlySet<string> | undefined)[],
): ReadonlySet<string> | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  if (first === undefined) return undefined;
  return new Set([...first].filter((name) => others.every((list) => list.has(name))));
}
