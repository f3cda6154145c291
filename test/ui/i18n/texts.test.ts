import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { en as baseEn } from '../../../src/ui/i18n/en/index.ts';
import { type ScreenTexts, screenTexts } from '../../../src/ui/i18n/screen-texts.ts';
import { zh as baseZh } from '../../../src/ui/i18n/zh/index.ts';

const names = Object.keys(screenTexts) as ScreenTexts[];
const zh: Readonly<Record<string, string>> = Object.assign(
  {},
  baseZh,
  ...(await Promise.all(names.map((name) => screenTexts[name].zh()))),
);
const en: Readonly<Record<string, string>> = Object.assign(
  {},
  baseEn,
  ...(await Promise.all(names.map((name) => screenTexts[name].en()))),
);

const root = fileURLToPath(new URL('../../../src/ui/', import.meta.url));
const stem = (key: string) => key.replace(/_(one|other)$/, '');
const parameters = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

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
      expect({ key, takes: [...new Set(parameters(text))] }).toEqual({ key, takes: [...new Set(parameters(chinese))] });
    }
  });

  it('that load with a screen are used by that screen only', async () => {
    const routes = readFileSync(join(root, 'routes.tsx'), 'utf8');
    for (const name of names) {
      const folder = new RegExp(`texts: '${name}',\\s+screen: async \\(\\) => \\(await import\\('\\./(routes/[\\w-]+)/`).exec(
        routes,
      )?.[1];
      expect({ name, folder }).toEqual({ name, folder: expect.any(String) });
      expect(Object.keys(await screenTexts[name].zh()).filter((key) => !key.startsWith(`${name}.`))).toEqual([]);
      const uses = (code: readonly string[]) => code.join('\n').match(new RegExp(`['"\`]${name}\\.`, 'g'))?.length ?? 0;
      expect(uses(sources(root))).toBe(uses(sources(join(root, folder ?? ''))));
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
      /^(shell\.logout\.done|login\.done|token\.form\.error|channel\.form\.error|channel\.form\.models\.exist|channel\.tag\.edit\.nothing)/;
    const own = Object.entries(zh).filter(([key]) => !seeds.test(key));
    expect(own.filter(([, text]) => /[!！]|您/.test(text)).map(([key]) => key)).toEqual([]);
    expect(own.filter(([, text]) => /[\u4e00-\u9fff][,;?]/.test(text)).map(([key]) => key)).toEqual([]);
  });
});
