/** The console's texts, for tests that play the same in both languages. */
import type { Language } from '../../src/core/vocabulary/languages.ts';
import { en } from '../../src/ui/i18n/en/index.ts';
import { textParts } from '../../src/ui/i18n/parts.ts';
import { type Translate, translatorOf } from '../../src/ui/i18n/translate.ts';
import { zh } from '../../src/ui/i18n/zh/index.ts';

/** What the console says under a key, whichever screen loads it. */
export async function spoken(language: Language): Promise<Translate> {
  const parts = await Promise.all(Object.values(textParts).map((part) => part[language]()));
  return translatorOf(language, Object.assign({}, language === 'en' ? en : zh, ...parts));
}
