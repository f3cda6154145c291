import { describe, expect, test } from 'vitest';
import { textOf, widthOf } from '../../../src/cli/kit/lines.ts';
import { drawTabs, viewKeys } from '../../../src/cli/screens/tabs.ts';
import { viewTitles } from '../../../src/cli/screens/view.ts';

const titles = (language: 'en' | 'zh') => Object.values(viewTitles).map((title) => title[language]);

describe('tabs', () => {
  test('in 76 cells, every key has the beginning of its name, the current one all of it', () => {
    expect(textOf(drawTabs(titles('en'), 3, 76))).toBe(
      '1 Ove 2 Req 3 Cha 4 Users 5 Tok 6 Cod 7 Opt 8 Tas 9 Dra 0 Led B Bu C Co A Au',
    );
    for (const language of ['en', 'zh'] as const)
      titles(language).forEach((title, current) => {
        const shown = drawTabs(titles(language), current, 76);
        expect(widthOf(shown)).toBeLessThanOrEqual(76);
        expect(textOf(shown)).toContain(`${viewKeys[current]} ${title}`);
        expect(textOf(shown).match(/[0-9BCA] \p{L}+/gu)).toHaveLength(titles(language).length);
      });
  });

  test('whole names where they fit, with wider gaps where those fit too', () => {
    expect(textOf(drawTabs(titles('en'), 0, 156))).toMatch(/^1 Overview {2}2 .* {2}A Audit$/);
    expect(textOf(drawTabs(titles('en'), 0, 132))).toMatch(/^1 Overview 2 Req.* A Audit$/);
  });

  test('where even short names do not fit, the farthest keep only their key', () => {
    const shown = drawTabs(titles('en'), 0, 50);
    expect(textOf(shown)).toMatch(/^1 Overview 2 Re .* 0 B C A$/);
    expect(widthOf(shown)).toBeLessThanOrEqual(50);
  });
});
