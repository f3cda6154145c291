/**
 * Every screen has the texts that it shows: those of the base, and those of the parts that it loads
 * (docs/rules/console.md#first-load).
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type TextPart, textParts } from '../../../src/ui/i18n/parts.ts';
import { screens } from '../../../src/ui/routes.tsx';

const root = fileURLToPath(new URL('../../../src/ui/', import.meta.url));

const partOf = new Map<string, TextPart>();
for (const name of Object.keys(textParts) as TextPart[])
  for (const key of Object.keys(await textParts[name].zh()))
    partOf.set(key.replace(/_(one|other)$/, ''), name);

/** The console's files that a file imports, at once or later. */
function importsOf(file: string, text: string): readonly string[] {
  const named = text.matchAll(/(?:^import (?!type\b)[^;]*?from |import\()'(\.[^']+\.tsx?)'/gms);
  return [...named]
    .map((match) => resolve(dirname(file), match[1] ?? ''))
    .filter((path) => path.startsWith(root) && existsSync(path));
}

function filesOf(start: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const visit = (file: string): void => {
    if (files.has(file) || file.includes('/i18n/') || file.endsWith('/routes.tsx')) return;
    const text = readFileSync(file, 'utf8');
    files.set(file, text);
    for (const next of importsOf(file, text)) visit(next);
  };
  visit(start);
  return files;
}

/** Texts shown by `start` and all that it imports, whose part is not loaded. */
function missing(start: string, loaded: readonly TextPart[]): readonly string[] {
  const files = filesOf(start);
  const later = [...files.values()].flatMap((text) =>
    [...text.matchAll(/loadTextPart\('(\w+)'\)/g)].map((match) => match[1]),
  );
  const there = new Set<string | undefined>([...loaded, ...later]);
  return [...files].flatMap(([file, text]) =>
    [...text.matchAll(/'([a-z][A-Za-z]*(?:\.[A-Za-z0-9]+)+)'/g)]
      .map((match) => match[1] ?? '')
      .filter((key) => partOf.has(key) && !there.has(partOf.get(key)))
      .map((key) => `${relative(root, file)}: ${key}`),
  );
}

const routes = readFileSync(join(root, 'routes.tsx'), 'utf8');

it.each(screens)('$path', ({ path, texts = [] }) => {
  const entry = routes.slice(routes.indexOf(`path: '${path}',`));
  const file = /import\('(\.[^']+)'\)/.exec(entry)?.[1] ?? '';
  expect(missing(join(root, file), texts)).toEqual([]);
});

it.each(['shell/shell.tsx', 'shell/root.tsx'])('%s', (file) => {
  expect(missing(join(root, file), [])).toEqual([]);
});
