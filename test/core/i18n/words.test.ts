// Covers src/core/i18n/en, src/core/i18n/zh, src/core/i18n/en/errors, src/core/i18n/zh/errors, src/core/kernel/errors.
import { describe, expect, it } from 'vitest';
import { en } from '../../../src/core/i18n/en.ts';
import { type MessageKey, zh } from '../../../src/core/i18n/zh.ts';
import { errorTable } from '../../../src/core/kernel/errors.ts';
import { optionKeys } from '../../../src/core/options/registry.ts';
import { ruleKeys } from '../../../src/core/options/rules.ts';

const keys = Object.keys(zh) as MessageKey[];
const placeholders = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/** A text without its optional parts, as shown without parameters. */
const withoutOptionalParts = (text: string) => text.replace(/\[[^\]]*\]/g, '');

describe('the texts of both languages', () => {
  it('have the same keys', () => {
    expect(Object.keys(en).sort()).toEqual([...keys].sort());
  });

  it.each(keys)('%s is not empty and has the same parameters', (key) => {
    expect(zh[key].trim()).not.toBe('');
    expect(en[key].trim()).not.toBe('');
    expect(placeholders(en[key])).toEqual(placeholders(zh[key]));
  });

  it.each(keys)('%s chooses forms only by parameters that it names', (key) => {
    const chosen = [...en[key].matchAll(/\{(\w+):/g)].map((match) => match[1]);
    for (const name of chosen) expect(placeholders(en[key])).toContain(name);
  });

  it('cover every error, every rule and every option', () => {
    for (const code of Object.keys(errorTable)) expect(keys).toContain(`error.${code}`);
    for (const rule of ruleKeys) expect(keys).toContain(rule);
    for (const key of optionKeys) expect(keys).toContain(`option.${key}.label`);
  });

  it('contain no unknown keys', () => {
    const known = new Set<string>(
      optionKeys.flatMap((key) => [`option.${key}.label`, `option.${key}.hint`]),
    );
    for (const key of keys) {
      if (key.startsWith('option.')) expect(known.has(key), key).toBe(true);
      if (key.startsWith('error.')) expect(Object.hasOwn(errorTable, key.slice(6)), key).toBe(true);
    }
  });

  it('errors read well without parameters', () => {
    for (const key of keys.filter((each) => each.startsWith('error.'))) {
      for (const text of [zh[key], en[key]]) {
        expect(placeholders(withoutOptionalParts(text)), text).toEqual([]);
        expect(withoutOptionalParts(text), text).not.toMatch(/ {2}|^ | $|[：:]$/);
      }
    }
  });

  it('have no exclamation marks, except for fixed texts', () => {
    const fixed = [
      'error.name_required',
      'error.expiry_invalid',
      'error.channel_name_and_key_required',
      'error.channel_models_required',
    ];
    for (const key of keys.filter((each) => !fixed.includes(each)))
      expect(`${zh[key]}${en[key]}`).not.toMatch(/[!！您]/);
  });
});
