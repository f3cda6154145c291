/**
 * Pasting a number with an exponent into a field for numbers: the field drops what is no digit,
 * which makes 16 of 1e6.
 */
import type { ClipboardEvent } from 'react';

const exponent = /^[+-]?(\d+\.?\d*|\.\d+)e[+-]?\d+$/i;
const mostDecimals = 12;

/** The number written out; undefined: the text has no exponent, and is taken as it is. */
export function plainNumber(text: string): string | undefined {
  const trimmed = text.trim();
  if (!exponent.test(trimmed)) return undefined;
  const value = Number(trimmed);
  // Beyond what any field takes: nothing is pasted.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return '';
  return value.toFixed(mostDecimals).replace(/\.?0+$/, '');
}

/** Of `NumberInput`. */
export function pasteNumber(event: ClipboardEvent<HTMLInputElement>): void {
  const plain = plainNumber(event.clipboardData.getData('text'));
  if (plain === undefined) return;
  event.preventDefault();
  const field = event.currentTarget;
  const { value } = field;
  const start = field.selectionStart ?? value.length;
  const end = field.selectionEnd ?? value.length;
  // Past React's own setter, so that it notices the change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
    field,
    value.slice(0, start) + plain + value.slice(end),
  );
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
