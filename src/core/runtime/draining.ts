/**
 * What is requested of this gateway, and how far it is (docs/rules/process.md#drain). What takes
 * work asks `isLeaving`; nothing is refused but what would keep it from becoming empty.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Node } from '../storage/storage.ts';

export interface Load {
  /** Requests and WebSockets of the relay under way. */
  readonly requests: number;
  /** Jobs of the site that run here. */
  readonly jobs: number;
  /** When the relay got its last request while it was leaving, Unix milliseconds; 0: none. */
  readonly lastRequestAt: number;
}

export type Progress = Pick<Node, 'wish' | 'state' | 'underWay'>;

export interface Draining {
  readonly isLeaving: boolean;
  progress(): Progress;
  /** Begins what is requested, or ends it. */
  follow(wish: Node['wish']): void;
  /** The process is about to stop: begins to leave, whatever is requested later. */
  leave(): void;
  /** Resolves once it is to stop and is empty. */
  readonly stopped: Promise<void>;
  close(): void;
}

export interface DrainingDeps {
  readonly load: () => Load;
  /** It begins to leave, or takes work again. */
  readonly onLeaving: (isLeaving: boolean) => void;
  /** Tells others how far it is. Never rejects. */
  readonly announce: () => Promise<void>;
  readonly clock: Clock;
}

/** Milliseconds without a request after which nobody counts on this gateway any more. */
const quietMs = 10_000;
/** Milliseconds between two looks while it leaves. */
const lookMs = 1000;

export function createDraining({ load, onLeaving, announce, clock }: DrainingDeps): Draining {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let wish: Node['wish'] = '';
  let isEnding = false;
  let leavesSince = 0;
  let watching: AbortController | undefined;

  const isLeaving = (): boolean => wish !== '' || isEnding;

  const progress = (): Progress => {
    const { requests, jobs, lastRequestAt } = load();
    const underWay = requests + jobs;
    if (!isLeaving()) return { wish, state: 'serving', underWay };
    const quiet = clock.now() - Math.max(leavesSince, lastRequestAt);
    return { wish, state: underWay === 0 && quiet >= quietMs ? 'empty' : 'draining', underWay };
  };

  const watch = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await announce();
      if (wish === 'stop' && progress().state === 'empty') return stop();
      await clock.sleep(lookMs, signal).catch(() => undefined);
    }
  };

  const change = (apply: () => void): void => {
    const wasLeaving = isLeaving();
    apply();
    if (wasLeaving === isLeaving()) return;
    watching?.abort();
    onLeaving(isLeaving());
    if (!isLeaving()) return;
    leavesSince = clock.now();
    watching = new AbortController();
    void watch(watching.signal);
  };

  return {
    get isLeaving() {
      return isLeaving();
    },
    progress,
    follow: (next) => change(() => (wish = next)),
    leave: () => change(() => (isEnding = true)),
    stopped,
    close: () => watching?.abort(),
  };
}
