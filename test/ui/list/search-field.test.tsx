// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SearchField } from '../../../src/ui/list/search-field.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

const onSearch = vi.fn();

/** A field whose search other parts of the page change as well. */
function Page() {
  const [value, setValue] = useState('main');
  return (
    <>
      <SearchField
        value={value}
        placeholder="Search"
        onSearch={(next) => {
          onSearch(next);
          setValue(next);
        }}
      />
      <button type="button" onClick={() => setValue('')}>
        Clear all
      </button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox');
const type = (value: string) => fireEvent.change(field(), { target: { value } });

beforeEach(() => {
  onSearch.mockClear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  show(<Page />);
});
afterEach(() => vi.useRealTimers());

it('searches for what was typed, 300 ms after the last key', () => {
  type('mai');
  type('ma');
  act(() => void vi.advanceTimersByTime(299));
  expect(onSearch).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1));
  expect(onSearch.mock.calls).toEqual([['ma']]);
});

it('forgets what was typed when the search is changed elsewhere, such as by "Clear all"', () => {
  type('main b');
  fireEvent.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(field().value).toBe('');
  act(() => void vi.advanceTimersByTime(1000));
  expect(onSearch).not.toHaveBeenCalled();
  expect(field().value).toBe('');
});

it('does not leave the field for the Escape that ends a composition', () => {
  field().focus();
  fireEvent.keyDown(field(), { key: 'Escape', isComposing: true });
  expect(document.activeElement).toBe(field());
  fireEvent.keyDown(field(), { key: 'Escape' });
  expect(document.activeElement).not.toBe(field());
});
