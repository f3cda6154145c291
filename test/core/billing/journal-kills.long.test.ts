/** Charges that the journal commits, by a process that is killed at each of its steps. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { close, closeSitesAfterEach, open } from './journaled-site.ts';
import { addUser, grant } from './ledger-support.ts';

closeSitesAfterEach();

const program = fileURLToPath(new URL('../../support/journal-crash.ts', import.meta.url));

/** Runs it until it kills itself. Returns the ids of what was committed. */
async function runUntil(file: string, step: string, nth: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [program, file, step, String(nth)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, errors, [, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect(signal, errors).toBe('SIGKILL');
  return printed.split('\n').filter((id) => id !== '');
}

const steps = [
  ['create', 1],
  ['create', 2],
  ['write', 1],
  ['write', 40],
  ['written', 41],
  ['synced', 12],
  ['applied', 1],
  ['applied', 3],
  ['committed', 90],
  ['remove', 1],
  ['removed', 1],
] as const;

test('killed at any step, nothing committed is missing, nothing is charged twice, and the next start goes on', async () => {
  const first = await open();
  const userId = await addUser(first.storage);
  await grant(first.ledger, userId, 1_000_000);
  await close(first);
  const committed: string[] = [];
  let uncertain = 0;
  for (const [step, nth] of steps) {
    committed.push(...(await runUntil(first.file, step, nth)));
    // A charge may be in the file although its caller does not know it.
    uncertain += 1;
    const next = await open(first.file, false);
    const { items } = await next.storage.ledger.page(
      { kind: 'charge' },
      { offset: 0, limit: 10_000 },
    );
    const charged = new Set(items.map(({ reference }) => reference ?? ''));
    expect(charged.size, step).toBe(items.length);
    expect(committed.filter((id) => !charged.has(id))).toEqual([]);
    expect(items.length - committed.length).toBeLessThanOrEqual(uncertain);
    expect(await next.ledger.verify()).toMatchObject({ ok: true });
    await close(next);
  }
  expect(committed.length).toBeGreaterThan(200);
});
