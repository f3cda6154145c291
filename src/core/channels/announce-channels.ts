import type { Changes } from '../cluster/changes.ts';

/** With more channels than this, reading all of them again costs less than naming each. */
const mostNamed = 100;

/** Announces which channels changed, so that only these are read again; without `ids` any may have. */
export async function announceChannels(changes: Changes, ids: readonly number[] | undefined): Promise<void> {
  if (ids === undefined || ids.length > mostNamed) return changes.announce('channels');
  await Promise.all(ids.map((id) => changes.announce('channels', id)));
}
