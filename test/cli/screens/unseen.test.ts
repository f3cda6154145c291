// Covers src/cli/screens/entity-view.ts, src/cli/screens/sizes.ts.
/** Keys have no effect on what nobody can see: rows that are gone, questions on a tiny terminal. */
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
