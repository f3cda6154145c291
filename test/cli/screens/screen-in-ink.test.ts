/** The same screens rendered by Ink: keys, lines, and NO_COLOR. */
import { cleanup, render } from 'ink-testing-library';
import { createElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { pickGlyphs } from '../../../src/cli/kit/glyphs.ts';
import { AppModel } from '../../../src/cli/screens/app-model.ts';
import { Screen } from '../../../src/cli/screens/open-screens.ts';
import { makeViews } from '../../../src/cli/screens/views.ts';
import { defaultMoney } from '../../../src/cli/show/money.ts';
import { createClient } from '../../../src/core/contract/client.ts';
import { createFakeSite, now } from '../fake-site.ts';

afterEach(cleanup);

function openInInk() {
  const quit = vi.fn();
  const model = new AppModel(
    {
      client: createClient(createFakeSite().transport),
      clock: { now: () => now * 1000, sleep: async () => {} },
      language: 'en',
      glyphs: pickGlyphs(false, { LANG: 'en_US.UTF-8' }),
      money: defaultMoney,
      address: '127.0.0.1:3000',
      runEditor: async (_, text) => text,
      writeRaw: () => {},
      quit,
    },
    makeViews,
  );
  const screen = render(
    createElement(Screen, { model, colour: false, size: { columns: 80, rows: 24 } }),
  );
  return { model, quit, ...screen };
}

test('keys reach the model and its frames reach the terminal', async () => {
  const { model, stdin, lastFrame, quit } = openInInk();
  await model.live.refresh();
  await vi.waitFor(() => expect(lastFrame()).toContain('$194.08 today'));
  stdin.write('3');
  await vi.waitFor(() => expect(lastFrame()).toContain('Channels 6'));
  stdin.write('\u001b[B');
  await vi.waitFor(() => expect(lastFrame()).toMatch(/▸ ● +10 Claude/));
  stdin.write('/');
  await vi.waitFor(() => expect(lastFrame()).toContain('enter applies'));
  stdin.write('\u001b');
  await vi.waitFor(() => expect(lastFrame()).toContain('? keys'));
  stdin.write('q');
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
});

test('a frame has the size of the terminal', async () => {
  const { model, lastFrame } = openInInk();
  await model.live.refresh();
  await vi.waitFor(() => expect(lastFrame()?.split('\n')).toHaveLength(24));
});
