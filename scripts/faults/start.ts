/**
 * `npm run test:faults`: a gateway under load while everything around it fails, again and again;
 * after each fault its books and what it holds are checked (docs/reliability.md). What happens
 * depends on the seed alone.
 */
import { atMost } from '../../src/core/kernel/at-most.ts';
import { kinds } from './kinds/index.ts';
import { reportOf, stepLine } from './report.ts';
import { chooseKinds, Run, type Step } from './run.ts';
import { commandFor, readSettings, type Settings, usage } from './settings.ts';
import { openSite } from './site.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);
/** Violations of a step that are printed. */
const mostShown = 12;
/** Milliseconds in which everything that was started has to close. */
const closeLimit = 30_000;

function show(settings: Settings, step: Step): void {
  say(stepLine(step));
  const { violations } = step.outcome;
  for (const violation of violations.slice(0, mostShown)) say(`       ${violation}`);
  if (violations.length > mostShown) say(`       and ${violations.length - mostShown} more`);
  if (violations.length > 0) say(`       repeat it: ${commandFor(settings, step.index)}`);
}

/** True: all held. */
async function perform(settings: Settings): Promise<boolean> {
  const startedAt = Date.now();
  const minutes = () => (Date.now() - startedAt) / 60_000;
  const site = await openSite(settings);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  try {
    const chosen = chooseKinds(settings, site, say);
    const run = await Run.begin(site, settings.seed, chosen);
    const warmUp = await run.warmUp();
    show(settings, warmUp);
    const steps: Step[] = [];
    let isFine = warmUp.outcome.violations.length === 0;
    for (
      let index = settings.step ?? 1;
      !interrupted.signal.aborted && (isFine || settings.keepGoing);
      index += 1
    ) {
      const step = await run.step(index);
      steps.push(step);
      show(settings, step);
      isFine &&= step.outcome.violations.length === 0;
      if (settings.step !== undefined || minutes() >= settings.minutes) break;
    }
    if (steps.length > 0) say(`\n${reportOf(settings, steps, minutes(), run.baseline)}`);
    return isFine;
  } finally {
    // Servers that a step left frozen may never close; they end with this process.
    await atMost(closeLimit, site.close());
  }
}

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === undefined) process.stdout.write(usage);
  else if (settings.lists) say(kinds.map(({ name }) => name).join('\n'));
  else process.exit((await perform(settings)) ? 0 : 1);
} catch (error) {
  process.stderr.write(
    `${error instanceof TypeError ? error.message : String((error as Error).stack)}\n`,
  );
  process.exitCode = 2;
}
