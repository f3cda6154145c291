// Covers src/ui/hooks.
import { describe, expect, it } from 'vitest';
import { pageOf, readUrlState, writeUrlState } from '../../../src/ui/hooks/use-url-state.ts';

const defaults = { q: '', status: '', p: '1' };

describe('filters in the URL', () => {
  it('reads what is there and falls back for the rest', () => {
    expect(readUrlState(new URLSearchParams('q=a&other=1'), defaults)).toEqual({
      q: 'a',
      status: '',
      p: '1',
    });
  });

  it('leaves defaults out and starts at the first page whatever changes', () => {
    const next = writeUrlState(new URLSearchParams('p=4&status=2'), defaults, {
      q: 'x',
      status: '',
    });
    expect(next.toString()).toBe('q=x');
  });

  it('keeps the page that the change names, and parameters of others', () => {
    expect(writeUrlState(new URLSearchParams('new=1&q=x'), defaults, { p: '3' }).toString()).toBe(
      'new=1&q=x&p=3',
    );
  });

  it.each([
    ['3', 3],
    ['0', 1],
    ['-2', 1],
    ['1.5', 1],
    ['x', 1],
    ['', 1],
  ])('reads page %j as %i', (text, page) => {
    expect(pageOf(text)).toBe(page);
  });
});
