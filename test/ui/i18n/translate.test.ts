import { describe, expect, it } from 'vitest';
import { en } from '../../../src/ui/i18n/en/index.ts';
import { translatorOf } from '../../../src/ui/i18n/translate.ts';
import { zh } from '../../../src/ui/i18n/zh/index.ts';

describe('a text', () => {
  it('has its parameters replaced, as they are', () => {
    const t = translatorOf('en', { 'common.select': 'Select {{name}}, {{name}}' });
    expect(t('common.select', { name: '<b>$& {{name}}' })).toBe(
      'Select <b>$& {{name}}, <b>$& {{name}}',
    );
  });
  it('has a singular in English and none in Chinese', () => {
    const plural = { a_one: '{{count}} row', a_other: '{{count}} rows' };
    const of = (language: 'en' | 'zh', count: number) => {
      const t = translatorOf(language, plural) as (
        key: string,
        values: { count: number },
      ) => string;
      return t('a', { count });
    };
    expect([of('en', 1), of('en', 0), of('en', 2), of('zh', 1)]).toEqual([
      '1 row',
      '0 rows',
      '2 rows',
      '1 rows',
    ]);
  });
  it('is its key where it is missing', () => {
    expect(translatorOf('en', {})('common.cancel')).toBe('common.cancel');
  });
  it('is there for a shared key in both languages', () => {
    expect(translatorOf('en', en)('common.cancel')).toBe('Cancel');
    expect(translatorOf('zh', zh)('common.cancel')).toBe('取消');
  });
});
