/**
 * `npm run pictures:states [-- PATTERN]`: the console's states that a screen does not show by
 * itself (failures, drafts, the inbox, bulk changes, the first channel, the palette, the
 * playground), in light and dark, English and Chinese, at 390, 768 and 1440 px, as
 * `screenshots/states/<state>-<theme>-<language>-<width>.png`. PATTERN selects by `<look> <group>`,
 * as in `dark-zh-390 playground`. Needs the built console and a browser.
 */
import { chromium } from 'playwright-core';
import { findBrowser } from '../test/support/browser.ts';
import { operatorStates } from './states/operator.ts';
import { playgroundStates } from './states/playground.ts';
import { safetyStates } from './states/safety.ts';
import { looks, withStages } from './states/stage.ts';

const groups = { ...safetyStates, ...operatorStates, ...playgroundStates };
const pattern = new RegExp(process.argv[2] ?? '');
const nameOf = ({ theme, language, width }: (typeof looks)[number], group: string) =>
  `${theme}-${language}-${width} ${group}`;
const names = Object.keys(groups);
const wanted = looks.filter((look) => names.some((group) => pattern.test(nameOf(look, group))));

const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox'],
});
try {
  await withStages(browser, wanted, async (stage) => {
    for (const [group, take] of Object.entries(groups)) {
      const name = nameOf(stage.look, group);
      if (!pattern.test(name)) continue;
      try {
        await take(stage);
        console.info(name);
      } catch (error) {
        console.error(name, error);
        process.exitCode = 1;
        const pages = browser.contexts().flatMap((context) => context.pages());
        await pages
          .at(-1)
          ?.screenshot({ path: `screenshots/states/failed-${name.replace(' ', '-')}.png` });
      }
    }
  });
} finally {
  await browser.close();
}
