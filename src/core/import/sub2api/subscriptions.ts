/**
 * What subscriptions of a sub2api site still allow becomes a grant (docs/rules/import.md#sub2api):
 * there are no subscriptions here.
 */
import { postImportedGrants } from '../../billing/import-balances.ts';
import { clampQuota } from '../../kernel/quota.ts';
import type { Storage } from '../../storage/storage.ts';
import { Notes } from '../notes.ts';
import type { TableResult } from '../table-import.ts';
import { allSpans, type OldSite, type Span, type Subscription, spans } from './old-site.ts';

const table = 'user_subscriptions';

/**
 * The most quota that its limits allow until it ends; undefined: it has none. A window begins with
 * the first request after the one before, so that there can be one for each span that begins.
 */
export function restOf({ group, windows, endsAt }: Subscription, now: number): bigint | undefined {
  const rest = (span: Span): bigint[] => {
    const limit = group?.limits[span];
    if (limit === undefined) return [];
    const { startsAt, used } = windows[span];
    const ends = startsAt + spans[span];
    const isOpen = startsAt > 0 && ends > now;
    const open = isOpen ? (used < limit ? limit - used : 0n) : 0n;
    const following = Math.ceil(Math.max(0, endsAt - (isOpen ? ends : now)) / spans[span]);
    return [open + limit * BigInt(following)];
  };
  const amounts = allSpans.flatMap(rest);
  return amounts.reduce<bigint | undefined>(
    (least, amount) => (least === undefined || amount < least ? amount : least),
    undefined,
  );
}

/** Only those of users whom this run wrote: a second one grants nothing again. */
export async function grantSubscriptions(
  { subscriptions, usernames }: OldSite,
  isNewUser: (id: number) => boolean,
  storage: Storage | null,
  now: number,
): Promise<TableResult> {
  const notes = new Notes();
  const grants: { userId: number; amount: number; reference: string }[] = [];
  let alreadyThere = 0;
  for (const subscription of subscriptions) {
    const { id, userId, group, isActive, endsAt } = subscription;
    const named = `${id} ${usernames.get(userId) ?? userId} ${group?.name ?? ''}`;
    if (!isActive || endsAt <= now) {
      notes.add('subscription_ended', named);
      continue;
    }
    if (!isNewUser(userId)) {
      alreadyThere += 1;
      continue;
    }
    const rest = restOf(subscription, now);
    if (rest === undefined) notes.add('subscription_unlimited', named);
    else {
      const amount = clampQuota(rest);
      if (amount > 0) grants.push({ userId, amount, reference: `import:subscription:${id}` });
      notes.add('subscription_granted', `${named}: ${amount}`);
    }
  }
  const before = await storage?.imports.figures('users', ['quota']);
  if (storage !== null) await postImportedGrants(storage, grants, now);
  const after = await storage?.imports.figures('users', ['quota']);
  const found = (after?.sums['quota'] ?? 0n) - (before?.sums['quota'] ?? 0n);
  const expected = grants.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return {
    report: {
      table,
      read: subscriptions.length,
      carried: grants.length,
      leftOut: subscriptions.length - grants.length - alreadyThere,
      alreadyThere,
      notes: notes.list(),
    },
    proof: storage === null ? [] : [{ table, figure: 'granted', expected, found }],
    usersCompared: 0,
  };
}
