/** The pane of one row: its card, which scrolls where it does not fit. */
import type { Pane } from '../kit/frame.ts';
import { type Line, line, span } from '../kit/lines.ts';
import { type Action, cardActions, scrollActions } from './keys.ts';
import { LineScroll } from './line-scroll.ts';
import type { Area, Host } from './view.ts';

export interface Card {
  /** Of the row. Another row is shown from its first line. */
  readonly key: number;
  readonly title: string;
  readonly lines: readonly Line[];
}

export class CardPane {
  readonly #host: Host;
  readonly #scroll = new LineScroll();
  #key: number | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /**
   * Keys while the card has the focus, around those of the view: that it scrolls is said first
   * where it does.
   */
  actions(own: readonly Action[]): readonly Action[] {
    const first: readonly Action[] = this.#scroll.isScrollable
      ? [...cardActions, 'scroll']
      : cardActions;
    return [...first, ...own, ...scrollActions];
  }

  /** Called before a row is opened: keys that follow at once scroll its card. */
  open(key: number): void {
    if (key !== this.#key) this.#scroll.toTop();
    this.#key = key;
  }

  /** Whether the action scrolls the card. */
  press(action: Action): boolean {
    if (action === 'previous' || action === 'next') this.#scroll.toTop();
    return this.#scroll.press(action);
  }

  draw(
    { key, title, lines }: Card,
    size: { readonly width: number; readonly height: number },
    area: Area,
    isFocused: boolean,
  ): Pane {
    this.open(key);
    const shown = this.#scroll.take(lines, size.height, area);
    const head = span(title + this.#scroll.place(this.#host), isFocused ? 'current' : 'plain');
    return { title: line(head), lines: shown, width: size.width };
  }
}
