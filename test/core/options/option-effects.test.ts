/**
 * Each option with an effect names a test of it, and no option without an effect does
 * (docs/rules/options.md#effects).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  isBuiltOption,
  type OptionKey,
  optionDefinition,
  optionKeys,
} from '../../../src/core/options/index.ts';
import { optionEffects } from './option-effects.ts';

const testFolder = fileURLToPath(new URL('../../', import.meta.url));
const keyPattern = (key: string) => new RegExp(`(?<![\\w.])${key.replaceAll('.', '\\.')}(?![\\w])`);

describe('every option with an effect', () => {
  it.each(optionKeys.filter(isBuiltOption))('%s names a test of it', (key) => {
    const [file = '', title = ''] = (optionEffects[key] ?? '').split(' > ');
    expect([key, file]).toEqual([key, expect.stringMatching(/\.test\.tsx?$/)]);
    const text = readFileSync(testFolder + file, 'utf8');
    expect(title.length).toBeGreaterThan(5);
    expect([key, title, text.includes(title)]).toEqual([key, title, true]);
    expect([key, file, namesOf(key).some((name) => keyPattern(name).test(text))]).toEqual([
      key,
      file,
      true,
    ]);
  });
});

it('options without an effect name none', () => {
  expect(
    Object.keys(optionEffects).filter(
      (key) => !optionKeys.filter(isBuiltOption).includes(key as OptionKey),
    ),
  ).toEqual([]);
});

function namesOf(key: OptionKey): readonly string[] {
  const { status } = optionDefinition(key);
  return status === undefined ? [key] : [key, status];
}
