/**
 * Minutes of vendors' containers (docs/rules/pricing.md#containers): a container that a later request
 * uses again costs only what has not been paid of its time.
 */
import type { UsedContainer } from '../canonical/usage.ts';
import type { SharedValues } from '../cluster/cluster.ts';

/** Containers that are remembered. */
export const mostContainers = 10_000;
/** Minutes that a container costs at least. */
export const leastMinutes = 5;
/** A container that nobody used for so long has ended; one with its name is another. */
const lifetime = 20 * 60_000;
const minute = 60_000;

/** The name of a price per minute: sizes but the usual one have their own. */
export function minutesOf(size: string | undefined): string {
  return size === undefined ? 'container_minute' : `container_minute_${size}`;
}

export interface PaidContainer {
  /** Until this moment, in milliseconds. */
  readonly until: number;
  readonly size?: string | undefined;
}

/** Minutes of containers that a charge is about to pay. It ends with `keep` or `drop`. */
export interface ContainerClaim {
  /** By the name of their price. */
  readonly minutes: Readonly<Record<string, number>>;
  /** They are paid: the charge is on disk. */
  keep(): Promise<void>;
  /** They are not. */
  drop(): void;
}

export class ContainerTime {
  readonly #paid: SharedValues<PaidContainer>;
  /** Claimed by charges of this process that are not on disk yet. */
  readonly #claimed = new Map<string, PaidContainer>();

  /** `paid` is shared by all processes. */
  constructor(paid: SharedValues<PaidContainer>) {
    this.#paid = paid;
  }

  /**
   * The minutes to be paid now. A request uses its containers from `startedAt` to `now`, in
   * milliseconds. Other requests owe them until they are kept, but those of this process. What cannot
   * be remembered is paid as if it were new.
   */
  async claim(
    containers: readonly UsedContainer[],
    userId: number,
    startedAt: number,
    now: number,
  ): Promise<ContainerClaim> {
    const minutes: Record<string, number> = {};
    const claimed = new Map<string, PaidContainer>();
    for (const { id, size } of containers) {
      const key = id === undefined ? undefined : `${userId} ${id}`;
      const kept = key === undefined ? undefined : await this.#find(key);
      // Looked up after the wait: nothing comes between it and the claim below.
      const known = (key === undefined ? undefined : this.#claimed.get(key)) ?? kept;
      const lasts = known !== undefined && now - known.until < lifetime;
      const from = lasts ? Math.max(known.until, startedAt) : startedAt;
      const used = Math.ceil(Math.max(0, now - from) / minute);
      const owed = lasts ? used : Math.max(leastMinutes, used);
      // A container that is named by its id says its size no more.
      const paid = { until: from + owed * minute, size: size ?? (lasts ? known.size : undefined) };
      const name = minutesOf(paid.size);
      minutes[name] = (minutes[name] ?? 0) + owed;
      if (key === undefined) continue;
      claimed.set(key, paid);
      this.#claimed.set(key, paid);
    }
    const drop = (): void => {
      for (const [key, paid] of claimed)
        if (this.#claimed.get(key) === paid) this.#claimed.delete(key);
    };
    const keep = async (): Promise<void> => {
      for (const [key, paid] of claimed) await this.#note(key, paid);
      drop();
    };
    return { minutes, keep, drop };
  }

  async #find(key: string): Promise<PaidContainer | undefined> {
    try {
      return await this.#paid.get(key);
    } catch {
      return undefined;
    }
  }

  async #note(key: string, paid: PaidContainer): Promise<void> {
    try {
      await this.#paid.set(key, paid, 2 * lifetime);
    } catch {
      // The next request pays for it anew.
    }
  }
}
