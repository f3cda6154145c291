/**
 * Channels whose first words have become late: conversations do not stay with them
 * (docs/rules/routing.md#slow-channels). Each process knows what it has seen itself, and nothing of
 * channels that are in time.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';

/** Late first words in a row. */
const turnsUntilSlow = 2;
/** Milliseconds after the last of them for which the channel counts as slow. */
const slowFor = 5 * 60_000;
/** Channels and models that are kept; the oldest go first. */
const mostKept = 10_000;

interface Lateness {
  readonly turns: number;
  readonly until: number;
}

export class SlowChannels {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #late = new Map<string, Lateness>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** A stream began. `late`: beyond the bound of its first word. */
  note(channel: UpstreamChannel, model: string, late: boolean): void {
    if (!late && this.#late.size === 0) return;
    const name = nameOf(channel, model);
    const turns = (this.#known(name)?.turns ?? 0) + 1;
    this.#late.delete(name);
    if (!late) return;
    this.#late.set(name, { turns, until: this.#clock.now() + slowFor });
    const [oldest] = this.#late.keys();
    if (this.#late.size > mostKept && oldest !== undefined) this.#late.delete(oldest);
  }

  isSlow(channel: UpstreamChannel, model: string): boolean {
    if (this.#late.size === 0) return false;
    return (this.#known(nameOf(channel, model))?.turns ?? 0) >= turnsUntilSlow;
  }

  #known(name: string): Lateness | undefined {
    const known = this.#late.get(name);
    const left = (known?.until ?? 0) - this.#clock.now();
    // More than there can be: the clock was set back.
    return left > 0 && left <= slowFor ? known : undefined;
  }
}

/** By the channel, not its keys: these have the same address. */
function nameOf({ healthKeys }: UpstreamChannel, model: string): string {
  return `${healthKeys[0] ?? ''} ${model}`;
}
