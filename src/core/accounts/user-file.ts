/** Users as CSV (docs/rules/accounts.md#user-lists). */
import type { FileOutput } from '../contract/endpoint.ts';
import { byteOrderMark, type CsvCell, csvLine } from '../kernel/csv.ts';
import { localTimeText } from '../kernel/local-time.ts';
import { maskPhone } from '../kernel/phone-number.ts';
import type { User, UserFilter, UserOrder } from '../storage/storage.ts';
import type { UserAdministration } from './user-administration.ts';

const time = (seconds: number): string => (seconds === 0 ? '' : localTimeText(seconds));

/** Name of a column and its value. Amounts are quota. */
const columns: readonly (readonly [string, (user: User) => CsvCell])[] = [
  ['id', ({ id }) => id],
  ['username', ({ username }) => username],
  ['display_name', ({ displayName }) => displayName],
  ['email', ({ email }) => email],
  ['phone', ({ phone }) => maskPhone(phone ?? '')],
  ['role', ({ role }) => role],
  ['status', ({ status }) => status],
  ['group', ({ group }) => group],
  ['quota', ({ quota }) => quota],
  ['used_quota', ({ usedQuota }) => usedQuota],
  ['requests', ({ requestCount }) => requestCount],
  ['invited', ({ affCount }) => affCount],
  ['inviter_id', ({ inviterId }) => (inviterId === 0 ? null : inviterId)],
  ['created', ({ createdAt }) => time(createdAt)],
  ['last_seen', ({ seenAt }) => time(seenAt)],
  ['deactivated', ({ deletedAt }) => time(deletedAt ?? 0)],
];

/** More than any site has: one read shows all users as they were at one moment. */
const mostUsers = 1_000_000;

/** The users that match, in the order of the list. */
export async function userFile(
  users: Pick<UserAdministration, 'page'>,
  filter: UserFilter,
  order: UserOrder,
): Promise<FileOutput> {
  const { items, total } = await users.page(filter, { offset: 0, limit: mostUsers }, order);
  async function* chunks(): AsyncGenerator<string> {
    yield byteOrderMark + csvLine(columns.map(([name]) => name));
    for (const user of items) yield csvLine(columns.map(([, value]) => value(user)));
  }
  return { name: 'users.csv', type: 'text/csv; charset=utf-8', total, chunks: chunks() };
}
