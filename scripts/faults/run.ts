/** Step after step: traffic, a fault, quiet, checks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { checkStep, type Mark, markOf, type Outcome } from './checks.ts';
import { kinds } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';
import type { Condition } from './leaks.ts';
import { startLoad } from './load.ts';
import { calm } from './orders.ts';
import type { Settings } from './settings.ts';
import type { Site } from './site.ts';

export interface Step {
  readonly index: number;
  readonly kind: string;
  readonly outcome: Outcome;
}

/** Requests of one step at most: their numbers say which step they are of. */
const mostRequests = 10_000;
/** Milliseconds of harmless traffic before a fault and after it. */
const before = 500;
const warmUpMs = 6000;

/** The kinds that are requested and can be had. Throws TypeError for names that are none. */
export function chooseKinds(
  { faults }: Settings,
  { engine }: Site,
  note: (text: string) => void,
): readonly Kind[] {
  const unknown = faults?.find((name) => !kinds.some((kind) => kind.name === name));
  if (unknown !== undefined) throw new TypeError(`there is no fault ${unknown}; --list names them`);
  return kinds.filter((kind) => {
    if (faults !== undefined && !faults.includes(kind.name)) return false;
    const lacking = kind.lacks?.(engine);
    if (lacking !== undefined && faults !== undefined)
      note(`${kind.name} is left out: it needs ${lacking}`);
    return lacking === undefined;
  });
}

/** Every kind once in each round, in an order of its own. */
function kindOf(chosen: readonly Kind[], seed: number, index: number): Kind {
  const round = Math.floor(index / chosen.length);
  const random = createRandom(seed * 7919 + round);
  const order = [...chosen];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = random.between(0, last);
    const a = order[last];
    const b = order[other];
    if (a !== undefined && b !== undefined) [order[last], order[other]] = [b, a];
  }
  const kind = order[index % order.length];
  if (kind === undefined) throw new TypeError('no fault is left to be tried');
  return kind;
}

export class Run {
  readonly #site: Site;
  readonly #seed: number;
  readonly #kinds: readonly Kind[];
  #mark: Mark;
  #baseline: Condition | undefined;

  private constructor(site: Site, seed: number, chosen: readonly Kind[], mark: Mark) {
    this.#site = site;
    this.#seed = seed;
    this.#kinds = chosen;
    this.#mark = mark;
  }

  static async begin(site: Site, seed: number, chosen: readonly Kind[]): Promise<Run> {
    return new Run(site, seed, chosen, await markOf(site));
  }

  /** How the gateway was after the warm-up. */
  get baseline(): Condition | undefined {
    return this.#baseline;
  }

  /** Traffic without a fault; what it leaves behind is what later steps are compared to. */
  async warmUp(): Promise<Step> {
    const kind: Kind = { name: 'none', run: () => sleep(warmUpMs) };
    const step = await this.#perform(0, kind, createRandom(this.#seed));
    this.#baseline = step.outcome.condition;
    return step;
  }

  /** Steps count from 1. */
  async step(index: number): Promise<Step> {
    return this.#perform(
      index,
      kindOf(this.#kinds, this.#seed, index - 1),
      createRandom(this.#seed * 104_729 + index),
    );
  }

  async #perform(index: number, kind: Kind, random: Random): Promise<Step> {
    const site = this.#site;
    const killedAt = new Map<number, number>();
    let number = index * mostRequests;
    const load = startLoad(
      { keys: site.keys, destination: site.destination, nextNumber: () => number++ },
      this.#seed,
      calm,
    );
    let thrown: unknown;
    try {
      await sleep(before);
      load.change(kind.mix ?? calm);
      const kill: Parameters<Kind['run']>[0]['kill'] = async (gateway) => {
        killedAt.set(gateway.id, Date.now());
        await site.end(gateway, 'SIGKILL');
      };
      await kind.run({ site, random, load, kill });
    } catch (error) {
      thrown = error;
      // The checks need a gateway.
      await site.start().catch(() => undefined);
    }
    load.change(calm);
    await sleep(before);
    const sent = await load.stop();
    const { outcome, mark } = await checkStep(site, this.#mark, {
      sent,
      killedAt,
      baseline: this.#baseline,
    });
    this.#mark = mark;
    const violations =
      thrown === undefined ? outcome.violations : [String(thrown), ...outcome.violations];
    return { index, kind: kind.name, outcome: { ...outcome, violations } };
  }
}
