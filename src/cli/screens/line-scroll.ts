/**
 * Lines that may be more than their pane has, such as a card or the list of keys: which of them are
 * shown.
 */
import type { Text } from '../base/text.ts';
import type { Line } from '../kit/lines.ts';
import type { Action } from './keys.ts';
import type { Area, Host } from './view.ts';

export class LineScroll {
  #first = 0;
  #last = 0;
  #page = 1;
  #all = 0;

  /** Whether the lines are more than the pane had when they were last drawn. */
  get isScrollable(): boolean {
    return this.#last > 0;
  }

  toTop(): void {
    this.#first = 0;
  }

  /**
   * Whether the action scrolls. It may come before the lines are drawn: they say then how far they
   * reach.
   */
  press(action: Action | undefined): boolean {
    if (action === undefined) return false;
    const steps: Partial<Record<Action, number>> = {
      up: -1,
      scroll: -1,
      down: 1,
      pageUp: -this.#page,
      pageDown: this.#page,
      top: Number.NEGATIVE_INFINITY,
      end: Number.POSITIVE_INFINITY,
    };
    const step = steps[action];
    if (step === undefined) return false;
    this.#first = Math.max(0, this.#first + step);
    return true;
  }

  /** The lines of the pane; all of them where the area is read and not seen. */
  take(
    lines: readonly Line[],
    height: number,
    { isPlain = false }: Pick<Area, 'isPlain'>,
  ): readonly Line[] {
    this.#page = Math.max(1, height - 1);
    this.#all = lines.length;
    this.#last = isPlain ? 0 : Math.max(0, lines.length - height);
    this.#first = Math.min(this.#first, this.#last);
    return isPlain ? lines : lines.slice(this.#first, this.#first + height);
  }

  /** ` · lines 1-17 of 40` for the title of the pane; empty if all lines are shown. */
  place(host: Pick<Host, 'glyphs' | 'localize'>): string {
    if (this.#last === 0) return '';
    const end = this.#first + this.#all - this.#last;
    return ` ${host.glyphs.separator} ${host.localize(texts.place, { first: this.#first + 1, end, all: this.#all })}`;
  }
}

const texts = {
  place: { en: 'lines {first}-{end} of {all}', zh: '第 {first}-{end} 行，共 {all} 行' },
} as const satisfies Record<string, Text>;
