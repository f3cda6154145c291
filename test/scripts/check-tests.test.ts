import { expect, it } from 'vitest';
import { coversOf, testsOf } from '../../scripts/check-tests.ts';

it('finds the test of a file: of its name, its folder, or one that says so', () => {
  const tests = ['test/a/b.test.ts', 'test/a/c/d.long.test.ts', 'test/e.engines.test.ts'];
  const covers = new Map([['test/a/b.test.ts', coversOf('// Covers src/x,\n// src/y/z.ts.\n')]]);
  const of = (file: string) => testsOf(file, tests, covers);

  expect(of('src/a/b.ts')).toEqual(['test/a/b.test.ts']);
  expect(of('src/a/c/other.ts')).toEqual(['test/a/c/d.long.test.ts']);
  expect(of('src/e/any.tsx')).toEqual(['test/e.engines.test.ts']);
  expect(of('src/x/any.ts')).toEqual(['test/a/b.test.ts']);
  expect(of('src/y/z.ts')).toEqual(['test/a/b.test.ts']);
  expect(of('src/y/other.ts')).toEqual([]);
  expect(of('src/x/below/any.ts')).toEqual([]);
  expect(coversOf("import 'x';\n// Covers src/x.\n")).toEqual([]);
});
