import { describe, expect, it } from 'vitest';
import { placeErrors } from '../../../src/ui/form/field-paths.ts';
import type { FormField } from '../../../src/ui/form/fields.ts';

interface Values {
  readonly name: string;
  readonly setting: string;
}
const part = (path: string) => ({
  path,
  read: (whole: unknown) => whole,
  write: (_: unknown, value: unknown) => value,
});
const fields: readonly FormField<Values>[] = [
  { kind: 'text', name: 'name', label: 'Name' },
  { kind: 'json', name: 'setting', label: 'Settings' },
  { kind: 'text', name: 'setting', part: part('proxy'), label: 'Proxy' },
  { kind: 'text', name: 'setting', part: part('headers'), label: 'Headers' },
];

describe('the errors of a form', () => {
  it('are shown once, at the field that is nearest to their path', () => {
    const errors = {
      'setting.proxy': 'a',
      'setting.headers.X-Title': 'b',
      'setting.mystery': 'c',
      name: 'd',
    } as const;
    expect(placeErrors(fields, errors)).toEqual({
      byPath: { 'setting.proxy': 'a', 'setting.headers': 'b', setting: 'c', name: 'd' },
      others: [],
    });
  });

  it('are not taken for those of a field whose name only begins alike', () => {
    expect(placeErrors(fields, { 'setting.proxy_user': 'a' }).byPath).toEqual({ setting: 'a' });
  });

  it('are not lost if no field is there to show them', () => {
    expect(placeErrors(fields.slice(1), { name: 'a' }).others).toEqual(['a']);
  });
});
