/**
 * Calls of parts that seldom make any: what makes them (undici, `ws`) is loaded with the first one
 * (docs/performance.md#start).
 */
import type { GuardPolicy } from './guard.ts';
import type { Upstream } from './send.ts';

/** What parts use that read replies whole. */
export type Calls = Pick<Upstream, 'collect' | 'deliver' | 'close'>;

/** Direct connections, or those that the policy allows. */
export async function openUpstream(guard?: GuardPolicy): Promise<Upstream> {
  const { createUpstream } = await import('./send.ts');
  if (guard === undefined) return createUpstream();
  const { guardedConnector } = await import('./guarded-connector.ts');
  return createUpstream({ connect: guardedConnector(guard) });
}

/** As {@link openUpstream}, with the first call. */
export function createCalls(guard?: GuardPolicy): Calls {
  let opened: Promise<Upstream> | undefined;
  const open = (): Promise<Upstream> => {
    opened ??= openUpstream(guard).catch((error: unknown) => {
      opened = undefined; // the next call tries again
      throw error;
    });
    return opened;
  };
  return {
    collect: async (...call) => (await open()).collect(...call),
    deliver: async (...call) => (await open()).deliver(...call),
    close: async () => (await opened)?.close(),
  };
}
