// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useUrlParameter, useUrlState } from '../../../src/ui/hooks/use-url-state.ts';
import { show } from '../support/render.tsx';

const defaults = { q: '', p: '1' };

it('changes that come before the first of them is drawn are both in the address', () => {
  let search = (_: string): void => {};
  let open = (_: string): void => {};
  function Screen() {
    const [, change] = useUrlState(defaults);
    const [, write] = useUrlParameter('new');
    search = (q) => change({ q });
    open = write;
    return null;
  }
  const router = show(<Screen />, '/token?p=2');
  act(() => {
    search('app');
    open('1');
  });
  expect(router.state.location.search).toBe('?q=app&new=1');
  act(() => {
    open('');
    search('');
  });
  expect(router.state.location.search).toBe('');
});
