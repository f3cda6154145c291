// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { specificationName } from '../../../src/ui/components/specification-name.ts';
import { changeLanguage, type Translate, translate } from '../../../src/ui/i18n/index.ts';

test('a size that is not published is said in the reader’s language, whichever it was written in', async () => {
  for (const [language, text] of [
    ['en', 'Not published'],
    ['zh', '未公布'],
  ] as const) {
    await changeLanguage(language);
    expect(
      ['Not published', '未公布'].map((size) => specificationName(size, translate as Translate)),
    ).toEqual([text, text]);
  }
});

test('other sizes that the filter does not offer stand as they were entered', () => {
  expect(specificationName('1.8T', translate as Translate)).toBe('1.8T');
});
