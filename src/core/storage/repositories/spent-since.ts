import { type Kysely, sql } from 'kysely';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { HourSpent, SpentBefore } from '../entities/budget.ts';
import type { Database } from '../schema.ts';
import { exactSum, readExactSum } from './exact-sum.ts';
import { hasTag } from './log-filter.ts';

const secondsPerHour = 3600;

/** The first posting of the hour that an instant is in; 0: there is none since. */
const firstIdOf = (database: Kysely<Database>, since: number) =>
  database
    .selectFrom('ledger_hours')
    .select((hours) => sql<number>`coalesce(min(${hours.ref('first_id')}), 0)`.as('id'))
    .where('hour', '>=', since - (since % secondsPerHour));

/** What was spent since a time, in Unix seconds. */
type Since = SpentBefore & { readonly since: number };

/** Sums that differ by a token or user alone are one part of the statement. */
interface Sums {
  readonly like: Since;
  readonly by: 'token_id' | 'user_id' | undefined;
  /** What users spent without a token alone. */
  readonly tokenless: boolean;
  readonly owners: readonly number[];
}

const ownerOf = ({ tokenId, userId }: Since) => tokenId || userId || 0;

function gather(wanted: readonly Since[]): ReadonlyMap<string, Sums> {
  const alike = Map.groupBy(wanted, keyOf);
  const entries = Array.from(alike, ([key, all]): readonly [string, Sums][] => {
    const [like] = all;
    if (like === undefined) return [];
    const { tokenId, userId } = like;
    const by = tokenId ? 'token_id' : userId === undefined ? undefined : 'user_id';
    const owners = [...new Set(all.map(ownerOf))];
    return [[key, { like, by, tokenless: tokenId === 0, owners }]];
  });
  return new Map(entries.flat());
}

/** All of it but whose it is. */
const keyOf = ({ tokenId, userId, ...rest }: Since): string =>
  JSON.stringify([
    rest,
    tokenId === undefined ? userId !== undefined : tokenId === 0 ? 'none' : (userId ?? 'token'),
  ]);

/** `part` tells the rows of one statement apart. */
function sumsOf(database: Kysely<Database>, { like, by, tokenless, owners }: Sums, part: number) {
  const { userId, group, models, tag, since } = like;
  const members = database
    .selectFrom('users')
    .select('id')
    .where('group', '=', group ?? '');
  const place = sql<number>`${sql.lit(part)}`.as('part');
  const owner = (by === undefined ? sql<number>`0` : sql<number>`${sql.ref(by)}`).as('owner');
  const also = by === 'token_id' && userId !== undefined;
  return models.length === 0 && tag === ''
    ? database
        .selectFrom('ledger')
        .select((select) => [
          place,
          owner,
          exactSum(sql<number>`-${select.ref('amount')}`).as('spent'),
        ])
        .where('kind', 'in', ['charge', 'refund'])
        .where('id', '>=', firstIdOf(database, since))
        .where('created_at', '>=', since)
        .$if(by !== undefined, (query) => query.where(by ?? 'user_id', 'in', owners))
        .$if(tokenless, (query) => query.where('token_id', 'is', null))
        .$if(also, (query) => query.where('user_id', '=', userId ?? 0))
        .$if(group !== undefined, (query) => query.where('user_id', 'in', members))
        .$if(by !== undefined, (query) => query.groupBy(by ?? 'user_id'))
    : database
        .selectFrom('logs')
        .select((select) => [place, owner, exactSum(select.ref('quota')).as('spent')])
        .where('type', '=', logTypes.consume)
        .where('created_at', '>=', since)
        .$if(models.length > 0, (query) => query.where('model_name', 'in', models))
        .$if(tag !== '', (query) => query.where(hasTag(tag)))
        .$if(by !== undefined, (query) => query.where(by ?? 'user_id', 'in', owners))
        .$if(tokenless, (query) => query.where('token_id', '=', 0))
        .$if(also, (query) => query.where('user_id', '=', userId ?? 0))
        .$if(group !== undefined, (query) => query.where('user_id', 'in', members))
        .$if(by !== undefined, (query) => query.groupBy(by ?? 'user_id'));
}

/**
 * Quota that postings since a time cost, less what was refunded; with models or a tag, what the log
 * rows say (docs/rules/budgets.md#counting). One statement for all; null: 0.
 */
export async function spentSince(
  database: Kysely<Database>,
  wanted: readonly (Since | null)[],
): Promise<readonly number[]> {
  const sums = gather(wanted.filter((one) => one !== null));
  const [first, ...others] = [...sums.values()].map((one, part) => sumsOf(database, one, part));
  if (first === undefined) return wanted.map(() => 0);
  const keys = [...sums.keys()];
  const found = new Map<string, number>();
  for (const { part, owner, spent } of await others
    .reduce((all, one) => all.unionAll(one), first)
    .execute())
    found.set(`${keys[part]} ${owner}`, Math.max(0, Number(readExactSum(spent))));
  return wanted.map((one) =>
    one === null ? 0 : (found.get(`${keyOf(one)} ${ownerOf(one)}`) ?? 0),
  );
}

/**
 * Quota that charges took from a window in whole minutes since a time (Unix seconds), of the last
 * quarter of an hour at most; 0 where its budget has no pace.
 */
export async function spentIn(
  database: Kysely<Database>,
  windowId: number,
  since: number,
): Promise<number> {
  const { spent } = await database
    .selectFrom('budget_minutes')
    .select((select) => exactSum(select.ref('spent')).as('spent'))
    .where('window_id', '=', windowId)
    .where('minute', '>=', Math.ceil(since / 60))
    .executeTakeFirstOrThrow();
  return Math.max(0, Number(readExactSum(spent)));
}

/** What a token (0: none) of a user cost, by hours in which it cost something. */
export async function spentByHour(
  database: Kysely<Database>,
  { userId, tokenId }: { readonly userId: number; readonly tokenId: number },
  from: number,
  until: number,
): Promise<readonly HourSpent[]> {
  const start = sql<number>`created_at - created_at % ${sql.lit(secondsPerHour)}`;
  const rows = await database
    .selectFrom('ledger')
    .select((select) => [
      start.as('start'),
      exactSum(sql<number>`-${select.ref('amount')}`).as('spent'),
    ])
    .where('user_id', '=', userId)
    .where('kind', '=', 'charge')
    .where('id', '>=', firstIdOf(database, from))
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .$if(tokenId > 0, (part) => part.where('token_id', '=', tokenId))
    .$if(tokenId === 0, (part) => part.where('token_id', 'is', null))
    .groupBy(start)
    .execute();
  return rows
    .map((row) => ({ start: Number(row.start), spent: Number(readExactSum(row.spent)) }))
    .filter(({ spent }) => spent > 0);
}
