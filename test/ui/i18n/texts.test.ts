// Covers src/ui/i18n/en, src/ui/i18n/zh.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { en as baseEn } from '../../../src/ui/i18n/en/index.ts';
import { textParts } from '../../../src/ui/i18n/parts.ts';
import { zh as baseZh } from '../../../src/ui/i18n/zh/index.ts';

const root = fileURLToPath(new URL('../../../src/ui/', import.meta.url));
const parts = Object.values(textParts);
const en: Record<string, string> = Object.assign(
  {},
  baseEn,
  ...(await Promise.all(parts.map((part) => part.en()))),
);
const zh: Record<string, string> = Object.assign(
  {},
  baseZh,
  ...(await Promise.all(parts.map((part) => part.zh()))),
);
const stem = (key: string) => key.replace(/_(one|other)$/, '');
const parameters = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'i18n' ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

describe('texts of the console', () => {
  it('take the same parameters in both languages', () => {
    for (const [key, text] of Object.entries(en)) {
      const chinese = zh[key] ?? zh[`${stem(key)}_other`] ?? '';
      expect({ key, takes: [...new Set(parameters(text))] }).toEqual({
        key,
        takes: [...new Set(parameters(chinese))],
      });
    }
  });

  it('are all used', () => {
    const code = sources(root).join('\n');
    // Keys made of parts: `status.token.${value}` and their like.
    const made = [...code.matchAll(/`([a-zA-Z.]+\.)\$\{/g)].map((match) => match[1] ?? '');
    const shared = /^(role|status|logType|ledger)\./;
    const unused = Object.keys(zh).filter((key) => {
      if (shared.test(key) || made.some((start) => key.startsWith(start))) return false;
      return !code.includes(`'${stem(key)}'`) && !code.includes(`"${stem(key)}"`);
    });
    expect(unused).toEqual([]);
  });

  it('stay plain: no exclamation marks but the seeds’, no 您, half-width punctuation only beside Latin', () => {
    const seeds =
      /^(shell\.logout\.done|login\.done|slider\.passed|token\.form\.error|channel\.form\.error|channel\.form\.models\.exist|channel\.tag\.edit\.nothing)/;
    const own = Object.entries(zh).filter(([key]) => !seeds.test(key));
    expect(own.filter(([, text]) => /[!！]|您/.test(text)).map(([key]) => key)).toEqual([]);
    expect(own.filter(([, text]) => /[\u4e00-\u9fff][,;?]/.test(text)).map(([key]) => key)).toEqual(
      [],
    );
  });

  it('have one word for one thing', () => {
    const found = (texts: Record<string, string>, words: RegExp) =>
      Object.entries(texts).filter(([, text]) => words.test(text));
    // 封禁 is what is done to users.
    expect(found(zh, /(?<!封)禁用|下架|上架|花费|算法|token 数|[^-\w]Tokens?\b/)).toEqual([]);
    expect(
      found(en, /\b(signed|sign)[ -](in|out)\b|\bsigning (in|out)\b|user name|\bbound\b/i),
    ).toEqual([]);
  });
});
