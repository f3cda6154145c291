/** What can be checked of the containers' files without an engine (docs/operate.md#containers). */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { environmentVariableOf, settings } from '../../src/core/config/schema.ts';

const root = join(import.meta.dirname, '../..');
const chart = join(root, 'examples/helm/turnpike');
const composeFiles = globSync('examples/compose/*/compose.yaml', { cwd: root });
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const dockerfile = text('Dockerfile');

/** What a chart is before its values are filled in, as YAML: lines of logic away, values as `x`. */
const withoutLogic = (template: string): string =>
  template
    .replace(/^\s*\{\{-? *(if|else|end|range|fail).*\}\}\s*$/gm, '')
    .replace(/\{\{[^}]*toJson[^}]*\}\}/g, '{}')
    .replace(/\{\{[^}]*\}\}/g, 'x');

test('every variable that containers set is one that the gateway reads', () => {
  const known = new Set(Object.keys(settings).map(environmentVariableOf));
  const files = [
    'Dockerfile',
    ...composeFiles,
    ...globSync('examples/helm/**/*.yaml', { cwd: root }),
  ];
  const named = files.flatMap((file) => text(file).match(/TURNPIKE_[A-Z_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('the Dockerfile copies what is there and what is not ignored, and does not run as root', () => {
  const allowed = text('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, sources = '']) => sources.split(' '),
  );
  expect(copies).toContain('package-lock.json');
  for (const source of copies.filter((name) => name !== '.')) {
    expect([source, existsSync(join(root, source))]).toEqual([source, true]);
    expect(allowed.some((name) => source === name || source.startsWith(`${name}/`))).toBe(true);
  }
  for (const name of allowed) expect([name, globSync(name, { cwd: root })]).not.toEqual([name, []]);
  const packed = (JSON.parse(text('package.json')) as { files: string[] }).files;
  for (const name of packed.filter((entry) => existsSync(join(root, entry)) && entry !== 'dist'))
    expect(allowed).toContain(name);
  expect(dockerfile.match(/^USER .*/gm)).toEqual(['USER 1000:1000']);
});

test('compose files: each mount and each variable is declared, programs are read-only', () => {
  expect(composeFiles).toHaveLength(2);
  for (const file of composeFiles) {
    const { services, volumes } = parse(text(file), { merge: true }) as {
      services: Record<string, { volumes?: string[]; image: string; read_only?: boolean }>;
      volumes: Record<string, unknown>;
    };
    for (const { volumes: mounts = [], image, read_only } of Object.values(services)) {
      for (const [source = ''] of mounts.map((mount) => mount.split(':')))
        expect([source, source.startsWith('.') || source in volumes]).toEqual([source, true]);
      if (image === 'turnpike') expect(read_only).toBe(true);
    }
  }
  const example = text('examples/compose/several/example.env');
  const needed = text('examples/compose/several/compose.yaml').matchAll(/\$\{([A-Z_]+):\?\}/g);
  for (const [, name] of needed) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
});

test('the chart is YAML, and every value that it reads has a default', () => {
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as object;
  for (const name of readdirSync(join(chart, 'templates'))) {
    const template = readFileSync(join(chart, 'templates', name), 'utf8');
    for (const [, path = ''] of template.matchAll(/\.Values\.([\w.]+)/g)) {
      const value = path
        .split('.')
        .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], values);
      expect([path, value]).not.toEqual([path, undefined]);
    }
    const opened = template.match(/\{\{-? *(if|range)/g)?.length ?? 0;
    expect([name, template.match(/\{\{-? *end/g)?.length ?? 0]).toEqual([name, opened]);
    if (!name.endsWith('.yaml')) continue;
    const problems = parseAllDocuments(withoutLogic(template), { uniqueKeys: false }).flatMap(
      ({ errors }) => errors.map(({ message }) => message),
    );
    expect([name, problems]).toEqual([name, []]);
  }
});
