/**
 * People and teams of LiteLLM become users. A team is one of its own: there its budget is that of
 * all of its keys, and the budget of a person does not count for them
 * (litellm/proxy/auth/auth_checks.py, 2026-11).
 */
import { userFields } from '../../entities/user.ts';
import { roles } from '../../vocabulary/roles.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import { toTrimmed } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import { usersMapping } from '../mapping/users.ts';
import { rowsOf } from '../rows-of.ts';
import type { Run } from '../run-context.ts';
import type { SourceRow } from '../source/source.ts';
import { compare } from './deployments.ts';

const userTable = 'LiteLLM_UserTable';
const teamTable = 'LiteLLM_TeamTable';
const admin = 'proxy_admin';

export interface Account {
  readonly id: number;
  readonly kind: 'user' | 'team';
  /** Its id there; '': nobody has it. */
  readonly oldId: string;
  readonly name: string;
  readonly row: SourceRow;
}

export interface Accounts {
  readonly list: readonly Account[];
  readonly root: Account;
  readonly users: ReadonlyMap<string, Account>;
  readonly teams: ReadonlyMap<string, Account>;
}

/** Ids are given by age, so that those who come later change none. */
export async function readAccounts(
  run: Pick<Run, 'source' | 'tables' | 'batch'>,
): Promise<Accounts> {
  const found: Omit<Account, 'id'>[] = [];
  for await (const row of rowsOf(run, userTable, 'user_id'))
    found.push({ kind: 'user', oldId: toTrimmed(row['user_id']), name: personName(row), row });
  for await (const row of rowsOf(run, teamTable, 'team_id')) {
    const oldId = toTrimmed(row['team_id']);
    found.push({ kind: 'team', oldId, name: nameFrom([toTrimmed(row['team_alias'])]), row });
  }
  const age = ({ row, kind, oldId }: Omit<Account, 'id'>) =>
    `${toTrimmed(row['created_at'])} ${kind} ${oldId}`;
  found.sort((one, other) => compare(age(one), age(other)));
  const isAdmin = ({ row }: Omit<Account, 'id'>) => toTrimmed(row['user_role']) === admin;
  // The holder of the master key need not be a user there.
  if (!found.some(isAdmin))
    found.unshift({ kind: 'user', oldId: '', name: 'root', row: { spend: 0, user_role: admin } });
  const list = found.map((account, index) => ({ id: index + 1, ...account }));
  const root = list.find(isAdmin);
  if (root === undefined) throw new TypeError('nobody is root');
  const byOldId = (kind: Account['kind']) =>
    new Map(list.filter((one) => one.kind === kind).map((one) => [one.oldId, one]));
  return { list, root, users: byOldId('user'), teams: byOldId('team') };
}

const personName = (row: SourceRow): string =>
  nameFrom([
    toTrimmed(row['user_alias']),
    toTrimmed(row['user_email']).replace(/@.*$/, ''),
    toTrimmed(row['user_id']).replace(/@.*$/, ''),
  ]);

const { max: longest, pattern } = userFields.username.limits;

/** The first that may be a user name once its spaces are replaced; '': none. */
function nameFrom(names: readonly string[]): string {
  const fitting = names
    .map((name) => name.replace(/\s+/g, '_'))
    .find((name) => name !== '' && name.length <= longest && pattern.test(name));
  return (
    fitting ??
    [...(names.find((name) => name !== '') ?? '')]
      .slice(0, 12)
      .join('')
      .replace(/[\s\p{C}@]/gu, '_')
  );
}

/** `names` gets the user names as they are here. */
export const usersFrom = (
  { list, root }: Accounts,
  balance: number,
  names: Map<number, string>,
): TableMapping => ({
  ...usersMapping,
  columns: {
    id: { as: 'integer' },
    username: { from: 'name', as: 'trimmed' },
    password: { from: 'no_password', as: 'trimmed' },
    email: { from: 'user_email', as: 'trimmed' },
    quota: { from: 'balance', as: 'money' },
    used_quota: { from: 'spend', as: 'money' },
    created_at: { as: 'instant' },
  },
  alsoRead: [
    'kind',
    'user_id',
    'team_id',
    'user_alias',
    'team_alias',
    'user_role',
    'teams',
    'members',
    'admins',
    'members_with_roles',
    'models',
    'sso_user_id',
    'password',
    'blocked',
    'updated_at',
    'max_budget',
    'soft_budget',
    'budget_duration',
    'budget_reset_at',
    'max_parallel_requests',
    'tpm_limit',
    'rpm_limit',
    'model_max_budget',
    'budget_limits',
    'model_spend',
    'metadata',
    // How they fared, and what follows from the rest.
    'model_id',
    'organization_id',
    'object_permission_id',
  ],
  figures: ['quota', 'used_quota'],
  refine(context, notes) {
    const finish = usersMapping.refine?.(context, notes);
    notes.add('balance_given', `${balance}`, list.length);
    return (draft, source) => {
      const id = Number(draft['id']);
      const named = `${id} ${draft['username']}`;
      if (toTrimmed(source['sso_user_id']) !== '') notes.add('identity_dropped', `${named} SSO`);
      const isAdmin = toTrimmed(source['user_role']) === admin;
      const mapped =
        finish?.(
          {
            ...draft,
            display_name: [...toTrimmed(source['team_alias'] ?? source['user_alias'])]
              .slice(0, 20)
              .join(''),
            role: id === root.id ? roles.root : isAdmin ? roles.admin : roles.user,
            status: source['blocked'] === true ? userStatuses.banned : userStatuses.active,
            request_count: 0,
            group: 'default',
            aff_code: '',
            aff_count: 0,
            aff_quota: 0,
            aff_history: 0,
            inviter_id: 0,
            setting: '',
            deleted_at: null,
          },
          {},
        ) ?? null;
      if (mapped !== null) names.set(id, String(mapped.row['username']));
      return mapped;
    };
  },
});

/** As the tables are read: with their numbers here and the balance that they get. */
export const accountRows = ({ list }: Accounts, balance: number): readonly SourceRow[] =>
  list.map(({ id, kind, name, row }) => ({ ...row, id, kind, name, balance: String(balance) }));

export const accountSums = { [userTable]: ['spend'], [teamTable]: ['spend'] };
