/**
 * Hostile bodies and replies, each in a process of its own: how far its memory grows
 * (docs/rules/relay.md#memory-budget).
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Measured } from './scenarios.ts';

const program = fileURLToPath(new URL('scenarios.ts', import.meta.url));

async function measure(name: string): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--no-warnings',
    program,
    name,
  ]);
  return JSON.parse(stdout) as Measured;
}

/** Most MB that a scenario may add. Before there was a budget: 1,500 and more. */
const most = 400;

// The peak of a process can be reset on Linux only.
describe.runIf(process.platform === 'linux')('memory', () => {
  it.each(['bombs without balance', 'texts without balance'])(
    '%s are not unpacked',
    async (name) => {
      const { grownMb, statuses, replies, charged } = await measure(name);
      expect(grownMb).toBeLessThan(most);
      expect(new Set(statuses)).toEqual(new Set([403]));
      expect(replies[0]).toContain('insufficient_user_quota');
      expect(charged).toBe(0);
    },
  );

  it('bodies that are packed too well are refused', async () => {
    const { grownMb, statuses, replies } = await measure('zstd bombs');
    expect(grownMb).toBeLessThan(most);
    expect(new Set(statuses)).toEqual(new Set([413]));
    expect(replies[0]).toContain('request_overcompressed');
  });

  it('bodies of one user that are too large together wait outside', async () => {
    const { grownMb, statuses, replies } = await measure('packed texts');
    expect(grownMb).toBeLessThan(900);
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(replies.join()).toContain('too_much_in_flight');
  });

  it.each(['endless lines, forwarded', 'endless lines, translated'])('%s', async (name) => {
    const { grownMb, replies, charged } = await measure(name);
    expect(grownMb).toBeLessThan(700);
    for (const reply of replies) {
      expect(reply).toContain('Hello');
      expect(reply).toContain('error');
      expect(reply).not.toContain('aaaa');
    }
    // What was generated is charged; six times a word.
    expect(charged).toBeGreaterThan(0);
    expect(charged).toBeLessThan(10_000);
  });

  it.each([
    'packed replies, forwarded',
    'packed replies, translated',
    'replies of objects, forwarded',
    'replies of objects, translated',
  ])('%s', async (name) => {
    const { grownMb, statuses, replies, charged } = await measure(name);
    expect(grownMb).toBeLessThan(500);
    expect(new Set(statuses)).toEqual(new Set([502]));
    expect(replies[0]).toContain('more than');
    expect(charged).toBe(0);
  });
});
