/**
 * The examples in docstrings of what contributors copy: each is run, and a line `// → value` is
 * compared with the expression before it.
 */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import * as convert from '../../../src/core/entities/convert.ts';
import * as field from '../../../src/core/entities/field.ts';
import * as filters from '../../../src/core/entities/filters.ts';

/** The code of a file's examples, without the stars before its lines. */
function examplesOf(path: string): readonly string[] {
  const source = readFileSync(new URL(`../../../src/${path}`, import.meta.url), 'utf8');
  return [...source.matchAll(/@example\n([\s\S]*?)\*\//g)].map(([, code = '']) =>
    code.replaceAll(/^ *\*/gm, ''),
  );
}

function run(example: string): number {
  let compared = 0;
  const compare = (found: unknown, expected: unknown) => {
    expect(found).toEqual(expected);
    compared += 1;
  };
  const code = example.replaceAll(
    /^ *(\S.*);\n *\/\/ → (.*)$/gm,
    (_line, expression: string, value: string) => `compare(${expression}, ${value});`,
  );
  runInNewContext(code, { ...convert, ...field, ...filters, compare });
  return compared;
}

it.each(['core/entities/field.ts', 'core/entities/filters.ts'])('%s', (path) => {
  const examples = examplesOf(path);
  expect(examples).toHaveLength(1);
  for (const example of examples) expect(run(example)).toBe(2);
});
