// @vitest-environment happy-dom
// Covers src/ui/theme, src/ui/form.
/** What fields for numbers make of texts that are typed and pasted. */
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { queryClient } from '../../../src/ui/client/query-client.ts';
import { type PlainField, PlainFieldInput } from '../../../src/ui/form/plain-field.tsx';
import { plainNumber } from '../../../src/ui/theme/paste-number.ts';
import { theme } from '../../../src/ui/theme/theme.ts';
import { prepareConsole } from '../support/render.tsx';

prepareConsole();

function Field({ field }: { readonly field: PlainField }) {
  const [value, setValue] = useState<unknown>('');
  return (
    <>
      <PlainFieldInput field={field} value={value} onChange={setValue} error={undefined} />
      <output>{JSON.stringify(value)}</output>
    </>
  );
}
const open = (field: PlainField) => {
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <Field field={field} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.getByRole<HTMLInputElement>('textbox');
};
const value = () => JSON.parse(screen.getByRole('status').textContent ?? '') as unknown;
const paste = (field: HTMLInputElement, text: string) => {
  field.focus();
  field.select();
  const isTaken = fireEvent.paste(field, { clipboardData: { getData: () => text } });
  // What a browser does by itself.
  if (isTaken) fireEvent.change(field, { target: { value: text } });
};
const decimal = { kind: 'number', label: 'Price', decimal: true } as const;

it.each([
  ['1e-7', 1e-7],
  ['1.5E3', 1500],
  ['1,5', 1.5],
  ['12,50', 12.5],
  ['-2,5', -2.5],
  ['0.25', 0.25],
  [' 7 ', 7],
  ['1,234.5', 1234.5],
])('a field for decimals takes the pasted %s as %d', (text, number) => {
  paste(open(decimal), text);
  expect(Number(value())).toBe(number);
});

it.each([
  ['1e6', 1_000_000],
  ['2.5e6', 2_500_000],
  ['500,000', 500_000],
])('a quota takes the pasted %s as %d', (text, number) => {
  paste(open({ kind: 'quota', label: 'Quota' }), text);
  expect(value()).toBe(number);
});

it('takes nothing of a number beyond every range', () => {
  const field = open({ kind: 'quota', label: 'Quota' });
  paste(field, '7');
  paste(field, '1e21');
  expect(value()).toBe('');
});

it('writes a number out, and leaves other texts alone', () => {
  expect(plainNumber('1e-3')).toBe('0.001');
  expect(plainNumber('-2.5e-3')).toBe('-0.0025');
  expect(plainNumber('1e3')).toBe('1000');
  for (const text of ['', '12', 'gpt-4e1', '1,234', '1,2,3', '$5'])
    expect(plainNumber(text)).toBeUndefined();
});

it.each([',', '，', '。', '.'])('a typed %s is the point of a decimal', (separator) => {
  const field = open(decimal);
  field.focus();
  fireEvent.change(field, { target: { value: '1' } });
  field.setSelectionRange(1, 1);
  fireEvent.keyDown(field, { key: separator });
  fireEvent.change(field, { target: { value: `1${separator}` } });
  fireEvent.change(field, { target: { value: `${field.value}5` } });
  expect(value()).toBe(1.5);
});

it.each([
  ['1000000', '= $2.00'],
  ['1000000000', '= $2,000.00'],
  ['1000000000000', '≈ $2.0M'],
  ['-1000000000000', '≈ −$2.0M'],
])('a quota of %s says what it is worth, and is not covered by it', (text, worth) => {
  const field = open({ kind: 'quota', label: 'Quota', signed: true });
  fireEvent.change(field, { target: { value: text } });
  expect(screen.getByText(/^[=≈]/).textContent).toBe(worth);
});

it.each(['20000000000000', '1000000000000000', '-1000000000000'])(
  'a quota of %s is a number',
  (text) => {
    fireEvent.change(open({ kind: 'quota', label: 'Quota', signed: true }), {
      target: { value: text },
    });
    expect(value()).toBe(Number(text));
  },
);
