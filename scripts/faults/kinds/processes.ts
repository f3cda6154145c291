/** Gateways that are killed, stopped, frozen, or whose clock jumps. */
import { setTimeout as sleep } from 'node:timers/promises';
import { calm } from '../orders.ts';
import type { FaultContext, Kind } from './kind.ts';

/** Streams that last, so that some are under way at any time. */
const streaming = {
  ...calm,
  behaviours: [['slow', 80] as const, ['stalls', 10] as const, ['proper', 10] as const],
};

function anyGateway({ site, random }: FaultContext) {
  return random.pick(site.gateways);
}

const minute = 60_000;
const jumps = [-24 * 60 * minute, -10 * minute, -3000, 3000, 10 * minute, 26 * 60 * minute];

export const processKinds: readonly Kind[] = [
  {
    name: 'kill',
    mix: streaming,
    run: async (context) => {
      for (let round = context.random.between(1, 2); round > 0; round -= 1) {
        await sleep(context.random.between(300, 1500));
        await context.kill(anyGateway(context));
        await sleep(context.random.between(0, 1000));
        await context.site.start();
      }
    },
  },
  {
    name: 'stop',
    mix: streaming,
    run: async (context) => {
      await sleep(context.random.between(300, 1500));
      const { code, ms } = await context.site.end(anyGateway(context), 'SIGTERM');
      if (code !== 0) throw new Error(`SIGTERM ended with ${code} after ${ms} ms`);
      await context.site.start();
    },
  },
  {
    name: 'freeze',
    mix: streaming,
    run: async (context) => {
      const gateway = anyGateway(context);
      gateway.signal('SIGSTOP');
      await sleep(context.random.between(500, 6000));
      gateway.signal('SIGCONT');
      await sleep(1000);
    },
  },
  {
    name: 'clock',
    run: async ({ site, random }) => {
      for (let count = random.between(1, 4); count > 0; count -= 1) {
        const ms = random.pick(jumps);
        for (const gateway of site.gateways) await gateway.shiftClock(ms);
        await sleep(random.between(500, 2000));
      }
      for (const gateway of site.gateways) await gateway.shiftClock(0);
      await sleep(500);
    },
  },
];
