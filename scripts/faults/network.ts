/** A connection between a gateway and a server that the suite can slow down, swallow or cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `open`: as it comes. `slow`: every chunk waits. `swallow`: nothing arrives, nothing closes.
 * `cut`: connections are closed and refused.
 */
export type LinkState =
  | { readonly kind: 'open' | 'swallow' | 'cut' }
  | { readonly kind: 'slow'; readonly ms: number };

export interface Link {
  readonly port: number;
  set(state: LinkState): void;
  close(): Promise<void>;
}

export async function openLink(toPort: number): Promise<Link> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: LinkState = { kind: 'open' };

  /** Passes on what `from` says, in order. */
  const carry = (from: Socket, to: Socket): void => {
    let waiting: Promise<unknown> = Promise.resolve();
    const inTurn = (act: () => void): void => {
      const ms = state.kind === 'slow' ? state.ms : 0;
      waiting = waiting.then(() => (ms > 0 ? sleep(ms) : undefined)).then(act);
    };
    from.on('data', (chunk: Buffer) => {
      // as if the cable had been pulled: what was sent is gone
      if (state.kind === 'swallow') return;
      from.pause();
      inTurn(() => {
        from.resume();
        if (!to.destroyed) to.write(chunk);
      });
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      if (state.kind !== 'swallow') inTurn(() => to.destroy());
    });
  };

  const server = createServer((near) => {
    if (state.kind === 'cut') return void near.resetAndDestroy();
    const far = connect(toPort, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.once('close', () => pairs.delete(pair));
    carry(near, far);
    carry(far, near);
  });
  const cutAll = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      // What was swallowed is missing: such a connection cannot go on.
      if (next.kind === 'cut' || state.kind === 'swallow') cutAll();
      state = next;
    },
    close: async () => {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
