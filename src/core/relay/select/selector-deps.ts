import type { BodyFields } from '../../canonical/pass-through.ts';
import type { RoutingIndex } from '../../channels/routing-index.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RelayJob } from '../job.ts';
import type { Affinity } from './affinity.ts';
import type { Health } from './health.ts';
import type { KeyTurns } from './key-turns.ts';
import type { SlowChannels } from './slow-channels.ts';

/** What all selectors share: the channels, and what is known of them. */
export interface SelectorDeps {
  readonly routing: RoutingIndex;
  readonly clock: Pick<Clock, 'now'>;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly health: Health;
  readonly affinity: Affinity;
  readonly turns: KeyTurns;
  readonly slow: SlowChannels;
}

/** What the selection depends on. */
export type RoutedRequest = Pick<
  RelayJob,
  'policy' | 'caller' | 'group' | 'pin' | 'model' | 'request' | 'continuation'
> & {
  /** What the request needs of a channel, for messages. */
  readonly format: { readonly name: string };
  /** Absent: it is no conversation that could be recognised. */
  readonly body?: BodyFields;
};
