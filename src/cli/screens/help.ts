/** `?`: all keys of the current view and of all views, from the key table. It scrolls where it does not fit. */
import type { Band } from '../kit/frame.ts';
import { cell, type Line, line, span } from '../kit/lines.ts';
import { type Action, allKeys, explanationOf, globalActions } from './keys.ts';
import type { Area, Host } from './view.ts';

function helpLines(host: Host, actions: readonly Action[]): readonly Line[] {
  const rows = (shown: readonly Action[]): readonly Line[] =>
    [...new Set(shown)].map((action) =>
      line(span(`  ${cell(allKeys(action), 18, host.glyphs)}`, 'title'), span(host.localize(explanationOf(action)))),
    );
  return [
    line(span(host.localize(texts.here), 'dim')),
    ...rows(actions),
    line(''),
    line(span(host.localize(texts.everywhere), 'dim')),
    line(span(`  ${cell('1-9, 0', 18, host.glyphs)}`, 'title'), span(host.localize(texts.views))),
    ...rows(globalActions),
  ];
}

/** Where the help is scrolled to, and how far it can be. */
export class HelpScroll {
  #first = 0;
  #last = 0;
  #page = 1;

  /** Whether the key scrolls; any other key leaves the help. Without need to scroll, every key leaves it. */
  press(action: Action | undefined): boolean {
    if (this.#last === 0 || action === undefined) return false;
    const steps: Partial<Record<Action, number>> = {
      up: -1,
      down: 1,
      pageUp: -this.#page,
      pageDown: this.#page,
      top: -this.#last,
      end: this.#last,
    };
    const step = steps[action];
    if (step === undefined) return false;
    this.#first = Math.max(0, Math.min(this.#last, this.#first + step));
    return true;
  }
  get isScrollable(): boolean {
    return this.#last > 0;
  }

  draw(host: Host, actions: readonly Action[], area: Area): readonly Band[] {
    const height = area.height - 1;
    const lines = helpLines(host, actions);
    this.#page = height;
    this.#last = Math.max(0, lines.length - height);
    this.#first = Math.min(this.#first, this.#last);
    const end = Math.min(lines.length, this.#first + height);
    const place =
      this.#last === 0
        ? ''
        : ` ${host.glyphs.separator} ${host.localize(texts.place, { first: this.#first + 1, end, all: lines.length })}`;
    const title = line(host.localize(texts.title) + place);
    return [{ panes: [{ title, lines: lines.slice(this.#first, end), width: area.width - 2 }], height }];
  }
}

const texts = {
  title: { en: 'Keys', zh: '按键' },
  place: { en: 'lines {first}-{end} of {all}', zh: '第 {first}-{end} 行，共 {all} 行' },
  here: { en: 'In this view', zh: '当前视图' },
  everywhere: { en: 'Everywhere', zh: '所有视图' },
  views: { en: 'go to a view', zh: '切换视图' },
} as const;
