/**
 * What members of a team may spend there, each for themselves, is a limit of their key in the team
 * (docs/rules/import.md#litellm-limits).
 */
import { toTrimmed } from '../convert.ts';
import { rowsOf } from '../rows-of.ts';
import type { Run } from '../run-context.ts';
import type { SourceRow } from '../source/source.ts';
import type { Accounts } from './accounts.ts';
import type { OldKey } from './keys.ts';
import type { LimitOwner } from './limits.ts';
import { membersOf } from './settings.ts';

export const memberTable = 'LiteLLM_TeamMembership';

/** Of a membership's budget these alone are enforced there (auth_checks.py, 2026-11). */
const limits = ['max_budget', 'budget_duration', 'budget_reset_at', 'tpm_limit', 'rpm_limit'];

interface MemberLimits {
  readonly owners: readonly LimitOwner[];
  /** Of members with several keys or none in the team: no budget here is about several keys. */
  readonly leftOut: readonly string[];
}

/**
 * `shared`: the definitions of budgets by their id. A membership without an amount has that which
 * the team gives to its members.
 */
export async function readMemberLimits(
  run: Pick<Run, 'source' | 'tables' | 'batch'>,
  { teams, users }: Accounts,
  keys: readonly OldKey[],
  isNew: (key: OldKey) => boolean,
  shared: ReadonlyMap<string, SourceRow>,
): Promise<MemberLimits> {
  const owners: LimitOwner[] = [];
  const leftOut: string[] = [];
  const byMember = Map.groupBy(keys, ({ row }) => memberOf(row));
  for await (const row of rowsOf(run, memberTable, 'user_id')) {
    const team = teams.get(toTrimmed(row['team_id']));
    const own = shared.get(toTrimmed(row['budget_id']));
    const given = shared.get(
      toTrimmed(String(membersOf(team?.row['metadata'])['team_member_budget_id'] ?? '')),
    );
    const limited = { ...pick(own), ...(isSaid(own?.['max_budget']) ? {} : pick(given, amounts)) };
    if (
      team === undefined ||
      !['max_budget', 'tpm_limit', 'rpm_limit'].some((column) => isSaid(limited[column]))
    )
      continue;
    const found = byMember.get(memberOf(row)) ?? [];
    const [key] = found;
    if (key === undefined || found.length > 1) {
      const person = users.get(toTrimmed(row['user_id']))?.name ?? toTrimmed(row['user_id']);
      leftOut.push(`${team.name}, ${person}: ${found.length}`);
      continue;
    }
    owners.push({
      owner: 'token',
      id: key.id,
      name: `${key.name} (member)`,
      isNew: isNew(key),
      row: { ...limited, spend: row['spend'] ?? 0 },
    });
  }
  return { owners: owners.sort((one, other) => one.id - other.id), leftOut: leftOut.sort() };
}

const amounts = ['max_budget', 'budget_duration', 'budget_reset_at'];

const memberOf = (row: SourceRow): string =>
  JSON.stringify([toTrimmed(row['team_id']), toTrimmed(row['user_id'])]);

const isSaid = (value: unknown): boolean => value !== null && value !== undefined;

const pick = (row: SourceRow | undefined, columns = limits): SourceRow =>
  Object.fromEntries(columns.map((column) => [column, row?.[column] ?? null]));
