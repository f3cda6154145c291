/** Many clients at once, each sending one request after another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../src/demo/random.ts';
import { type Ending, performOrder } from './client.ts';
import { type Mix, makeOrder, type Order } from './orders.ts';

/** A request that is over. */
export interface Sent {
  readonly order: Order;
  readonly ending: Ending;
  /** The gateway process that it went to. */
  readonly process: number;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A gateway as clients reach it; undefined: none runs. */
export interface Destination {
  readonly port: number;
  readonly process: number;
}

export interface Load {
  /** From now on requests are of this mix. */
  change(mix: Mix): void;
  /** No more requests; resolves with all of them once they are over. */
  stop(): Promise<readonly Sent[]>;
}

export interface LoadTarget {
  readonly keys: readonly string[];
  /** In turn, where there are several. */
  destination(): Destination | undefined;
  /** Numbers of requests, unique in the run. */
  nextNumber(): number;
}

const clients = 16;
/** Milliseconds that a client waits where no gateway runs. */
const pause = 50;

export function startLoad(target: LoadTarget, seed: number, mix: Mix): Load {
  const sent: Sent[] = [];
  let current = mix;
  let running = true;
  const work = async (): Promise<void> => {
    while (running) {
      const to = target.destination();
      if (to === undefined) {
        await sleep(pause);
        continue;
      }
      const number = target.nextNumber();
      // Of its own, so that it is the same in whatever order clients come to it.
      const own = createRandom(seed + number);
      const order = makeOrder(own, number, current);
      const startedAt = Date.now();
      const ending = await performOrder(order, { port: to.port, key: own.pick(target.keys) });
      sent.push({ order, ending, process: to.process, startedAt, endedAt: Date.now() });
      if (ending.kind === 'unconnected') await sleep(pause);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, work));
  return {
    change: (next) => {
      current = next;
    },
    stop: async () => {
      running = false;
      await done;
      return sent;
    },
  };
}
