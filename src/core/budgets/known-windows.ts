/**
 * The open windows that a process knows, and what the last request of each spender fell under: most
 * requests are like the one before, and pay for no look-up by budget.
 */
import { neverEnds } from '../vocabulary/budgets.ts';
import type { IndexedBudget, Spender } from './budget-index.ts';
import type { Span } from './window.ts';

/** Windows in memory before those that ended are forgotten; spenders before all are. */
const most = 20_000;

/** What the last request of a spender fell under. */
export interface LastUse<Window> extends Spender {
  readonly model: string;
  readonly found: readonly IndexedBudget[] | undefined;
  /** By the place of their budget in `found`, with whose they are. */
  readonly windows: { subject: string; opened: Window }[];
}

const isOpen = ({ startsAt, endsAt }: Span, now: number): boolean =>
  startsAt <= now && (endsAt === neverEnds || now < endsAt);

export class KnownWindows<Window extends Span> {
  /** By budget and subject. */
  readonly #windows = new Map<number, Map<string, Window>>();
  #size = 0;
  /** By the number of the token, or of the user made negative where there is none. */
  readonly #uses = new Map<number, LastUse<Window>>();

  remember({ id }: IndexedBudget, subject: string, opened: Window, now: number): void {
    if (this.#size >= most) this.#forgetEnded(now);
    const windows = this.#windows.get(id) ?? new Map<string, Window>();
    if (!windows.has(subject)) this.#size += 1;
    windows.set(subject, opened);
    this.#windows.set(id, windows);
  }

  #forgetEnded(now: number): void {
    this.#size = 0;
    for (const windows of this.#windows.values()) {
      for (const [old, window] of windows) if (!isOpen(window, now)) windows.delete(old);
      this.#size += windows.size;
    }
    if (this.#size < most) return;
    this.#windows.clear();
    this.#uses.clear();
    this.#size = 0;
  }

  /** `find`: the budgets of a request that is not like the spender's last one. */
  lastUseOf(
    spender: Spender,
    model: string,
    find: () => readonly IndexedBudget[] | undefined,
  ): LastUse<Window> {
    const { tokenId, userId, userGroup } = spender;
    const key = tokenId === 0 ? -userId : tokenId;
    const last = this.#uses.get(key);
    if (last?.model === model && last.userId === userId && last.userGroup === userGroup)
      return last;
    if (this.#uses.size >= most) this.#uses.clear();
    const use = { tokenId, userId, userGroup, model, found: find(), windows: [] };
    this.#uses.set(key, use);
    return use;
  }

  /** The window that is open now, for the budget at a place of `use`; undefined: none is known. */
  find(
    use: LastUse<Window>,
    place: number,
    { id }: IndexedBudget,
    subject: string,
    now: number,
  ): Window | undefined {
    const last = use.windows[place];
    if (last?.subject === subject && isOpen(last.opened, now)) return last.opened;
    const opened = this.#windows.get(id)?.get(subject);
    if (opened === undefined || !isOpen(opened, now)) return undefined;
    use.windows[place] = { subject, opened };
    return opened;
  }
}
