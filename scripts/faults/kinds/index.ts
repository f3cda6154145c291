import { diskKinds } from './disk.ts';
import type { Kind } from './kind.ts';
import { processKinds } from './processes.ts';
import { serverKinds } from './servers.ts';
import { trafficKinds } from './traffic.ts';

/** In the order in which a run first meets them. */
export const kinds: readonly Kind[] = [
  ...trafficKinds,
  ...processKinds,
  ...diskKinds,
  ...serverKinds,
];
