import { expect, it } from 'vitest';
import { findJsonError } from '../../../src/core/kernel/json-place.ts';
import { fc, runs } from '../../support/property.ts';

it.each([
  ['', 1, 1],
  ['  ', 1, 3],
  ['{"a":}', 1, 6],
  ['{"a":1', 1, 7],
  ['{"a":1,}', 1, 8],
  ['{"a" 1}', 1, 6],
  ['{a:1}', 1, 2],
  ["{'a':1}", 1, 2],
  ['{\n"a": 1,\n"b": 01\n}', 3, 7],
  ['{\r\n"a": 1\r\n"b": 2}', 3, 1],
  ['{"a":1}}', 1, 8],
  ['[1,2', 1, 5],
  ['[1}', 1, 3],
  ['"a\nb"', 1, 3],
  ['"a\\x"', 1, 3],
  ['[nul]', 1, 2],
  ['{"价格":，}', 1, 7],
  ['{"a":-}', 1, 6],
  ['{"a":1.}', 1, 7],
])('%j fails at line %i, column %i', (text, line, column) => {
  expect(findJsonError(text)).toEqual({ line, column });
});

it('finds nothing in JSON, and in a text cut short the cut or a place before it', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      expect(findJsonError(text)).toBeUndefined();
      const short = text.slice(0, cut % (text.length + 1));
      const place = findJsonError(short);
      if (place === undefined) return;
      const lines = short.split('\n');
      expect(place.line).toBeLessThanOrEqual(lines.length);
      expect(place.column).toBeLessThanOrEqual((lines[place.line - 1] ?? '').length + 1);
    }),
    runs(300),
  );
});

it('is not overwhelmed by a hundred thousand brackets', () => {
  expect(findJsonError('['.repeat(100_000))).toEqual({ line: 1, column: 100_001 });
});
