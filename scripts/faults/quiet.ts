/** Waits until nothing is under way any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from './site.ts';

/**
 * Milliseconds until all has to be quiet: holds of a process that was killed are given back after a
 * minute.
 */
const limit = 150_000;
const pause = 200;

/** Figures of a gateway that are 0 when nothing is under way. */
const restless = [
  'turnpike_requests_active',
  'turnpike_holds',
  'turnpike_ledger_queue',
  'turnpike_ledger_stalled',
] as const;

/** What is still going on; empty: nothing. */
async function unrest({ gateways, engine, upstream }: Site): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, gateway] of gateways.entries()) {
    const name = `gateway ${index + 1}`;
    try {
      const figure = await gateway.figures();
      for (const one of restless)
        if (figure(one) !== 0) found.push(`${name}: ${one} is ${figure(one)}`);
      const ready = await fetch(`${gateway.url}/readyz`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(5000),
      });
      if (ready.status !== 200) found.push(`${name} is not ready: ${await ready.text()}`);
    } catch (error) {
      found.push(`${name} does not answer: ${String(error)}`);
    }
  }
  const holds = await engine.books.holds().catch((error: unknown) => String(error));
  if (holds !== 0) found.push(`holds in the database: ${holds}`);
  const connections = await upstream.connections();
  if (connections > 0) found.push(`connections to upstreams: ${connections}`);
  return found;
}

/** Resolves with what did not come to an end; empty: all is quiet. */
export async function untilQuiet(site: Site): Promise<readonly string[]> {
  const deadline = Date.now() + limit;
  for (;;) {
    const found = await unrest(site);
    if (found.length === 0 || Date.now() > deadline) return found;
    await sleep(pause);
  }
}
