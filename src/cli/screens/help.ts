/** `?`: all keys of the current view and of all views, from the key table. */

import type { Band } from '../kit/frame.ts';
import { cell, type Line, line, span } from '../kit/lines.ts';
import { type Action, allKeys, explanationOf, globalActions } from './keys.ts';
import type { Area, Host } from './view.ts';

export function drawHelp(host: Host, actions: readonly Action[], area: Area): readonly Band[] {
  const rows = (shown: readonly Action[]): readonly Line[] =>
    shown.map((action) =>
      line(span(`  ${cell(allKeys(action), 18, host.glyphs)}`, 'title'), span(host.localize(explanationOf(action)))),
    );
  const lines = [
    line(span(host.localize(texts.here), 'dim')),
    ...rows(actions),
    line(''),
    line(span(host.localize(texts.everywhere), 'dim')),
    line(span(`  ${cell('1-7', 18, host.glyphs)}`, 'title'), span(host.localize(texts.views))),
    ...rows(globalActions),
  ];
  return [{ panes: [{ title: line(host.localize(texts.title)), lines, width: area.width - 2 }], height: area.height - 1 }];
}

const texts = {
  title: { en: 'Keys', zh: '按键' },
  here: { en: 'In this view', zh: '当前视图' },
  everywhere: { en: 'Everywhere', zh: '所有视图' },
  views: { en: 'go to a view', zh: '切换视图' },
} as const;
