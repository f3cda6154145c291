// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { Whole } from '../../../src/ui/components/whole.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

describe('a text with dates and amounts', () => {
  it.each([
    ['#3 · East · created 2026-11-16 09:05', ['2026-11-16 09:05']],
    ['2026-11-16 至 2026-11-20', ['2026-11-16', '2026-11-20']],
    ['11-20 19:04:52 · ann', ['11-20 19:04:52']],
    ['spent −$1,234.56 of ¥20', ['−$1,234.56', '¥20']],
    ['gpt-4o-mini, no figure', []],
  ])('keeps each of them in one piece: %s', (text, wholes) => {
    show(
      <p data-testid="text">
        <Whole text={text} />
      </p>,
    );
    const place = document.querySelector('[data-testid=text]');
    expect(place?.textContent).toBe(text);
    const found = [...(place?.querySelectorAll('[data-whole]') ?? [])];
    expect(found.map((one) => one.textContent)).toEqual(wholes);
  });
});
