/**
 * The slow mode of tests, `TEST_SLOW=<seed>`: what a test waits for comes late and at random, as on
 * a busy machine, so that a test which does not wait for it fails (CONTRIBUTING.md#slow).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DefaultConnectionProvider } from 'kysely';
import type { BrowserContext } from 'playwright-core';

const seed = process.env['TEST_SLOW'];
export const isSlow = seed !== undefined && seed !== '';

/** Time limits are multiplied by it. */
export const patience = isSlow ? 4 : 1;

let state = 0;

/** Each file has the same delays in every run with a seed, as far as it asks in the same order. */
export function startSlowly(): void {
  state = [...(seed ?? '')].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7);
}

/** Mulberry32. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Waits between `least` and `most` ms; in normal runs not at all. */
export async function late(least: number, most: number): Promise<void> {
  if (isSlow) await sleep(least + random() * (most - least));
}

/**
 * Every request of its pages comes late. Their scripts are as fast as always: Chromium slows them by
 * spinning, which slows the machine for all.
 */
export async function slowPages(context: BrowserContext): Promise<void> {
  if (!isSlow) return;
  await context.route('**', async (route) => {
    await late(100, 800);
    await route.fallback().catch(() => {}); // its page was closed
  });
}

if (isSlow) {
  // Of the apps in this process, with both engines.
  const { prototype } = (await import('kysely')).DefaultConnectionProvider;
  const provide = prototype.provideConnection;
  prototype.provideConnection = async function provideLate<T>(
    this: DefaultConnectionProvider,
    ...call: Parameters<typeof provide<T>>
  ): Promise<T> {
    await late(0, 5);
    return await provide.call<DefaultConnectionProvider, typeof call, Promise<T>>(this, ...call);
  };
}
