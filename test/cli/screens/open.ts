/** The terminal screens over a site of the tests, as text. */
import type { Language } from '../../../src/cli/base/text.ts';
import { pickGlyphs } from '../../../src/cli/kit/glyphs.ts';
import { type Line, textOf } from '../../../src/cli/kit/lines.ts';
import { AppModel } from '../../../src/cli/screens/app-model.ts';
import { makeViews } from '../../../src/cli/screens/views.ts';
import { defaultMoney } from '../../../src/cli/show/money.ts';
import { createClient } from '../../../src/core/contract/client.ts';
import { createFakeSite, now } from '../fake-site.ts';

export async function open(
  settings: { language?: Language; ascii?: boolean; isConnected?: boolean } = {},
) {
  const site = createFakeSite();
  const raw: string[] = [];
  /** Files that were opened in the editor, and what is written there. */
  const edited: [string, string][] = [];
  const edits: string[] = [];
  let hasQuit = false;
  const model = new AppModel(
    {
      client: createClient(site.transport),
      clock: { now: () => now * 1000, sleep: async () => {} },
      language: settings.language ?? 'en',
      glyphs: pickGlyphs(settings.ascii ?? false, { LANG: 'en_US.UTF-8' }),
      money: defaultMoney,
      address: '127.0.0.1:3000',
      runEditor: async (fileName, text) => {
        edited.push([fileName, text]);
        return edits.shift() ?? text;
      },
      writeRaw: (sequence) => raw.push(sequence),
      quit: () => {
        hasQuit = true;
      },
    },
    makeViews,
  );
  if (settings.isConnected !== false) await model.live.refresh();
  const draw = (columns = 80, rows = 24) =>
    model.draw(columns, rows).map((shown: Line) => textOf(shown));
  /** Presses keys one after the other and waits for their effects. */
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      model.press(key);
      for (let turn = 0; turn < 8; turn++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return draw();
  };
  return { site, model, raw, edited, edits, draw, press, hasQuit: () => hasQuit };
}
