/** Upstreams and clients that misbehave: the fault is in the requests themselves. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Behaviour, behaviours, calm, type Mix } from '../orders.ts';
import type { Kind } from './kind.ts';

/** Milliseconds that such traffic lasts. */
const shortest = 3000;
const longest = 6000;

function traffic(name: string, mix: Mix): Kind {
  return {
    name,
    mix,
    run: async ({ random }) => void (await sleep(random.between(shortest, longest))),
  };
}

/** Half of the attempts meet one of these. */
function often(...bad: readonly Behaviour[]): Mix {
  return { ...calm, behaviours: [['proper', bad.length], ...bad.map((one) => [one, 1] as const)] };
}

export const trafficKinds: readonly Kind[] = [
  traffic('upstream-refuses', often('fails', 'busy', 'refuses')),
  traffic('upstream-resets', often('resets', 'cuts')),
  traffic('upstream-stalls', often('silent', 'stalls')),
  traffic('upstream-garbage', often('garbage', 'garbles')),
  traffic('upstream-endless', often('endless')),
  traffic('upstream-lies', often('lies', 'uncounted')),
  traffic('upstream-mixed', often(...behaviours)),
  traffic('clients-leave', {
    ...calm,
    behaviours: [...calm.behaviours, ['fails', 30], ['silent', 5]],
    leaving: 0.85,
  }),
  traffic('clients-slow', { ...calm, slow: 0.7 }),
];
