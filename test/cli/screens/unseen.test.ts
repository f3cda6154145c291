// Covers src/cli/screens/entity-view.ts, src/cli/screens/sizes.ts.
/** Keys and what cannot be seen: rows that are gone, questions on a tiny terminal, half a change. */
import { expect, test } from 'vitest';
import { tokenRow } from '../fake-site.ts';
import { open } from './open.ts';

async function openTokens() {
  const opened = await open();
  const rows = [tokenRow(1, { name: 'first' }), tokenRow(2, { name: 'second' })];
  opened.site.replies['GET /api/turnpike/token'] = () => ({ items: rows, total: rows.length });
  await opened.press('5');
  const reload = async () => {
    await opened.model.live.refresh();
    opened.site.fail = true;
    await opened.model.live.refresh();
    opened.site.fail = false;
    await opened.model.live.refresh();
    await opened.model.settled;
    return opened.draw().join('\n');
  };
  return { ...opened, rows, reload };
}

test('a row that is gone is not edited or shown as the one in its place', async () => {
  const { press, rows, reload } = await openTokens();
  expect((await press('down', 'e')).join('\n')).toContain('second › edit');
  rows.pop();
  const shown = await reload();
  expect(shown).not.toContain('edit');
  expect(shown).toContain('Tokens 1');

  expect((await press('enter')).join('\n')).toContain('Tokens › first');
  rows[0] = tokenRow(3, { name: 'third' });
  expect(await reload()).toContain('Tokens 1');
});

test('a terminal that is too small to show a question takes only the keys that quit', async () => {
  const { site, model, draw, hasQuit } = await openTokens();
  draw(79, 24);
  for (const key of ['x', 'y', 'd', 'y']) model.press(key);
  await model.settled;
  expect(site.changes).toEqual([]);
  draw(80, 23);
  model.press('q');
  expect(hasQuit()).toBe(true);
});

test('U takes back what was done of a change that failed in the middle, and no earlier one', async () => {
  const { site, press } = await openTokens();
  const status = () => site.changes.map(([, { id, status: to }]) => [id, to]);
  site.replies['PUT /api/turnpike/token'] = () => ({});
  await press('down', 'd', 'y');
  site.replies['PUT /api/turnpike/token'] = ({ id }) => (id === 2 ? new Error('busy') : {});
  const failed = await press('space', 'up', 'space', 'd', 'y');
  expect(failed.at(-2)).toContain('busy');
  site.replies['PUT /api/turnpike/token'] = () => ({});
  await press('U');
  expect(status()).toEqual([
    [2, 2],
    [1, 2],
    [2, 2],
    [1, 1],
  ]);
});

test('a field of several rows, too', async () => {
  const { site, press } = await open();
  await press('3', 'space', 'down', 'space', 'w', 'ctrl+u', ...'7');
  let saved = 0;
  site.replies['PUT /api/channel/'] = () => (++saved === 2 ? new Error('busy') : {});
  expect((await press('enter')).at(-2)).toContain('busy');
  await press('U');
  const [first, second, back] = site.changes.map(([, input]) => input);
  expect([first?.['weight'], second?.['weight']]).toEqual([7, 7]);
  expect(back?.['id']).toBe(first?.['id']);
  expect(site.changes).toHaveLength(3);
});
