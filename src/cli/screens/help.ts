/**
 * `?`: all keys of the current view and of all views, from the key table. It scrolls where it does
 * not fit.
 */
import type { Band } from '../kit/frame.ts';
import { cell, type Line, line, span } from '../kit/lines.ts';
import { type Action, allKeys, explanationOf, globalActions } from './keys.ts';
import type { LineScroll } from './line-scroll.ts';
import type { Area, Host } from './view.ts';

function helpLines(host: Host, actions: readonly Action[]): readonly Line[] {
  const rows = (shown: readonly Action[]): readonly Line[] =>
    [...new Set(shown)].map((action) =>
      line(
        span(`  ${cell(allKeys(action), 18, host.glyphs)}`, 'title'),
        span(host.localize(explanationOf(action))),
      ),
    );
  return [
    line(span(host.localize(texts.here), 'dim')),
    ...rows(actions),
    line(''),
    line(span(host.localize(texts.everywhere), 'dim')),
    line(
      span(`  ${cell('1-9, 0, B', 18, host.glyphs)}`, 'title'),
      span(host.localize(texts.views)),
    ),
    ...rows(globalActions),
  ];
}

export function drawHelp(
  scroll: LineScroll,
  host: Host,
  actions: readonly Action[],
  area: Area,
): readonly Band[] {
  const height = area.height - 1;
  const lines = scroll.take(helpLines(host, actions), height, area);
  const title = line(host.localize(texts.title) + scroll.place(host));
  return [
    { panes: [{ title, lines, width: area.width - 2 }], height: Math.max(height, lines.length) },
  ];
}

const texts = {
  title: { en: 'Keys', zh: '按键' },
  here: { en: 'In this view', zh: '当前视图' },
  everywhere: { en: 'Everywhere', zh: '所有视图' },
  views: { en: 'go to a view', zh: '切换视图' },
} as const;
