/** A trickle of requests by the demo users, so that live figures, health and logs move. */

import { createRandom } from './random.ts';
import { drawCall, sendCall } from './site/calls.ts';
import type { Customer } from './site/history.ts';

export interface Traffic {
  stop(): void;
}

/**
 * Sends about that many requests per minute, at random times. Requests that fail, as during a
 * restart, are ignored.
 */
export function startTraffic(
  gatewayUrl: string,
  customers: readonly Pick<Customer, 'key' | 'tag' | 'models' | 'activity'>[],
  perMinute: number,
): Traffic {
  const random = createRandom(Date.now());
  const weighted = customers.map((customer) => [customer, customer.activity] as const);
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    const pause = (-Math.log(1 - random.next()) * 60_000) / perMinute;
    timer = setTimeout(() => {
      const customer = random.pickWeighted(weighted);
      const call = drawCall(random, random.pickWeighted(customer.models));
      void sendCall(gatewayUrl, customer, call).catch(() => undefined);
      next();
    }, pause);
  };
  if (perMinute > 0 && customers.length > 0) next();
  return { stop: () => clearTimeout(timer) };
}
