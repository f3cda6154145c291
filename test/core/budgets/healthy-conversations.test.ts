// Covers src/core/budgets, src/core/relay/admit
/**
 * A thousand conversations of agents that do their work, from a grammar of what they really do: none
 * comes near a preset's limit of repetitions, in any request (docs/rules/budgets.md#fences).
 */
import { describe, expect, it } from 'vitest';
import { repeatsOf } from '../../../src/core/budgets/fence.ts';
import { budgetPresets } from '../../../src/core/entities/budget-presets.ts';
import { modelTurns } from '../../../src/core/relay/admit/model-turns.ts';
import { createRandom, type Random } from '../../../src/demo/random.ts';
import { type Step, wires } from './agent-wires.ts';
import { bodyOf } from './body-of.ts';

const count = (most: number, make: (index: number) => readonly Step[] | Step): readonly Step[] =>
  Array.from({ length: most }, (_, index) => make(index)).flat();
const bash = (command: string, result: string): Step => ({
  tool: 'Bash',
  result,
  input: { command, timeout: 120_000 },
});
const file = (random: Random) => `src/part-${random.between(1, 400)}.ts`;
const failing = (tests: number, ms: number) => `${tests} failed | 40 passed (${ms} ms)`;

type Habit = (random: Random) => readonly Step[];

/** What agents do for a while, each with its own kind of repetition. */
const work: readonly Habit[] = [
  // Many files, read or searched, some of them twice.
  (random) =>
    count(random.between(2, 12), () => [
      { tool: 'Read', input: { file_path: file(random) }, result: `text ${random.between(1, 9)}` },
    ]),
  (random) =>
    count(random.between(2, 8), (index) => ({
      tool: 'Grep',
      input: { pattern: `name${index}`, path: 'src' },
      result: 'No matches found',
    })),
  // An edit and its test, until it passes.
  (random) => {
    const path = file(random);
    return count(random.between(2, 10), (index) => [
      { tool: 'Read', input: { file_path: path }, result: `version ${index}` },
      {
        tool: 'Edit',
        result: 'The file has been updated.',
        input: { file_path: path, old_string: `a${index}`, new_string: `b${index}` },
      },
      bash('npm test', failing(10 - index, random.between(100, 900))),
    ]);
  },
  // The same tests, because somebody else works on them.
  (random) =>
    count(random.between(3, 12), (index) =>
      bash('npx vitest run', failing(20 - index, random.between(100, 900))),
    ),
  // Tests that are flaky: nothing changes for some time.
  (random) => count(random.between(2, 4), () => bash('npm test', '1 failed | 40 passed')),
  // A job that runs, looked at with and without waiting.
  (random) =>
    count(random.between(3, 16), (index) =>
      bash('sleep 30 && gh run view 17', index % 5 === 4 ? 'test: done' : 'in_progress'),
    ),
  (random) =>
    count(random.between(3, 14), (index) =>
      bash('curl -s localhost/job/7', `{"done":${index * 6}}`),
    ),
  (random) =>
    count(random.between(3, 14), () => ({
      tool: 'BashOutput',
      input: { bash_id: 'bash_1' },
      result: '<status>running</status>',
    })),
  (random) =>
    count(random.between(3, 14), () => ({
      tool: 'write_stdin',
      result: 'Process running',
      input: { session_id: 4, chars: '', yield_time_ms: 10_000 },
    })),
  (random) =>
    count(random.between(2, 7), (index) => [
      bash('sleep 60', ''),
      bash('gh run list --limit 1', `in_progress ${index} minutes`),
    ]),
  // Too many requests, tried again as the reply says.
  (random) => [
    ...count(random.between(1, 3), () => bash('gh api /user', '429 Too Many Requests')),
    bash('gh api /user', '{"login":"a"}'),
  ],
  // A page whose address moves on, and pages of a list.
  (random) =>
    count(random.between(3, 15), (index) => ({
      tool: 'WebFetch',
      input: { url: `https://example.com/list?page=${index}` },
      result: 'Next page',
    })),
  // A list of things to do, written again after each.
  (random) =>
    count(random.between(2, 8), (index) => [
      { tool: 'TodoWrite', input: { done: index }, result: 'Todos have been modified.' },
      bash(`git commit -m ${random.between(1, 99)}`, '1 file changed'),
      bash('git status', 'nothing to commit'),
    ]),
];

/** People: short answers to different questions, thanks, and one order after the other. */
const talk: readonly Habit[] = [
  (random) =>
    count(random.between(3, 30), (index) => ({
      say: random.between(1, 10) < 9 ? 'not spam' : 'spam',
      reply: `Mail: ${['offer', 'invoice', 'letter', 'notice'][index % 4]} of ${'x'.repeat(index)}`,
    })),
  (random) => count(random.between(1, 2), () => ({ say: 'You are welcome.', reply: 'thanks' })),
  (random) =>
    count(random.between(2, 9), (index) => ({
      say: 'Done.',
      reply: `Now rename ${'y'.repeat(index)}`,
    })),
];

/** One habit after the other, none of them twice in a row. */
function converse(random: Random, habits: readonly Habit[]): readonly Step[] {
  let last: Habit | undefined;
  return count(random.between(1, 4), () => {
    last = random.pick(habits.filter((habit) => habit !== last));
    return last(random);
  });
}

const { chat, agent, unattended } = budgetPresets;
const kinds = [
  { who: 'people', habits: talk, limit: chat.most_repeats, share: 100 },
  {
    who: 'agents',
    habits: [...work, ...talk],
    share: 150,
    limit: Math.min(agent.most_repeats, unattended.most_repeats),
  },
];

describe.each(Object.entries(wires))('in the wire of %s', (_, wire) => {
  it.each(kinds)('none of $share conversations of $who is stopped', ({ habits, limit, share }) => {
    const random = createRandom(share);
    let requests = 0;
    for (let conversation = 0; conversation < share; conversation += 1) {
      const steps = converse(random, habits);
      for (let end = 1; end <= steps.length; end += 1) {
        requests += 1;
        const repeats = repeatsOf(modelTurns(bodyOf(wire, steps.slice(0, end))));
        if (repeats < limit) continue;
        expect.fail(`${repeats} times ${JSON.stringify(steps.slice(end - 8, end))}`);
      }
    }
    expect(requests).toBeGreaterThan(10 * share);
  });
});
