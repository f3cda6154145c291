/**
 * Rights that were taken away: a call that was forbidden tells it, and the screen that the reader
 * may not see any more is left (docs/rules/console.md#taken-rights).
 */
import { client } from './api.ts';
import { currentUser, storeUser } from './session.ts';

let reading: Promise<void> | undefined;

/** Asks what the reader may do now. Calls that fail at the same time ask once. */
export function readRights(): Promise<void> {
  reading ??= read().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function read(): Promise<void> {
  // A failure is that of a call like any other; the next forbidden one asks again.
  const self = await client.self.get().catch(() => undefined);
  const user = currentUser();
  if (self !== undefined && user !== null && self.id === user.id && self.role !== user.role)
    storeUser({ ...user, role: self.role });
}
