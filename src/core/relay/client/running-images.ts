/**
 * Orders of images that are under way for a playground, so that their pages can stop them from
 * another connection (docs/rules/relay.md#playground-images).
 */
import type { Topic } from '../../cluster/cluster.ts';

/** Whose order, and what the page calls it. */
export interface RunKey {
  readonly userId: number;
  readonly key: string;
}

const nameOf = ({ userId, key }: RunKey): string => `${userId} ${key}`;

export class RunningImages {
  readonly #stops = new Map<string, () => void>();
  readonly #topic: Topic<RunKey>;

  constructor(topic: Topic<RunKey>) {
    this.#topic = topic;
    topic.subscribe((run) => this.#stops.get(nameOf(run))?.());
  }

  /** Returns a function for its end. */
  add(run: RunKey, stop: () => void): () => void {
    const name = nameOf(run);
    this.#stops.set(name, stop);
    return () => {
      if (this.#stops.get(name) === stop) this.#stops.delete(name);
    };
  }

  /** Stops the order in whichever process it is; one that is over stays as it is. */
  stop(run: RunKey): void {
    this.#topic.publish(run);
  }
}
