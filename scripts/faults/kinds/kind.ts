/** A kind of fault: how it is brought about and undone. */
import type { Random } from '../../../src/demo/random.ts';
import type { Engine } from '../engine.ts';
import type { GatewayProcess } from '../gateway.ts';
import type { Load } from '../load.ts';
import type { Mix } from '../orders.ts';
import type { Site } from '../site.ts';

export interface FaultContext {
  readonly site: Site;
  readonly random: Random;
  readonly load: Load;
  /** Ends a gateway by kill -9, and notes when. */
  kill(gateway: GatewayProcess): Promise<void>;
}

export interface Kind {
  readonly name: string;
  /** What it needs and is not there; undefined: nothing. Absent: it needs nothing. */
  readonly lacks?: (engine: Engine) => string | undefined;
  /** The requests meanwhile. Absent: harmless ones. */
  readonly mix?: Mix;
  /** Brings the fault about, and undoes it. Throws what must not happen. */
  run(context: FaultContext): Promise<void>;
}
