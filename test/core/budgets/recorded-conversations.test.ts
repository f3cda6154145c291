/**
 * More than a thousand recorded conversations of agents that did their work: none reaches a preset's
 * limit of repetitions, in any request (docs/rules/budgets.md#fences).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BudgetPreset, budgetPresets } from '../../../src/core/entities/budget-presets.ts';
import { repeatsIn } from '../../../src/core/relay/admit/model-turns.ts';
import { type Step, type Wire, wires } from './agent-wires.ts';
import { bodyOf } from './body-of.ts';

interface Recording {
  readonly source: string;
  readonly license: string;
  /** Those that are meant for such an agent. */
  readonly presets: readonly BudgetPreset[];
  readonly conversations: readonly string[];
  /** They did their work in the end, but ran in circles before. */
  readonly circles?: readonly string[];
}

const { tools, recordings } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded-conversations.json'), 'utf8'),
) as { tools: readonly string[]; recordings: readonly Recording[] };

/** `4.abcdef.ghijkl`: a call of the fifth tool and its result; `abcdef.ghijkl`: words and a reply. */
function stepOf(text: string): Step {
  const [first = '', second = '', result] = text.split('.');
  if (result === undefined) return { say: first, reply: second };
  return { tool: tools[Number(first)] ?? '', input: { given: second }, result };
}

/** The smallest of a limit that these presets have. */
const least = (presets: readonly BudgetPreset[], limit: 'most_repeats' | 'most_requests') =>
  Math.min(
    ...presets.flatMap((name) => {
      const preset: Partial<Record<typeof limit, number>> = budgetPresets[name];
      return preset[limit] ?? [];
    }),
  );

/** In which of its requests a conversation is stopped. Undefined: in none. */
function stopOf(wire: Wire, steps: readonly Step[], limit: number): number | undefined {
  for (let end = 1; end <= steps.length; end += 1)
    if (repeatsIn(bodyOf(wire, steps.slice(0, end))) >= limit) return end;
  return undefined;
}

const stepsOf = (conversation: string): readonly Step[] => conversation.split(' ').map(stepOf);

it('there are a thousand, of several turns each', () => {
  const all = recordings.flatMap(({ conversations }) => conversations);
  expect(new Set(all).size).toBeGreaterThan(1000);
  expect(all.flatMap(stepsOf).length).toBeGreaterThan(5 * all.length);
});

describe.each(Object.entries(wires))('in the wire of %s', (_, wire) => {
  it.each(recordings)('none of $source is stopped', ({ conversations, presets }) => {
    for (const conversation of conversations) {
      const steps = stepsOf(conversation);
      expect(steps.length, conversation).toBeLessThan(least(presets, 'most_requests'));
      expect(stopOf(wire, steps, least(presets, 'most_repeats')), conversation).toBeUndefined();
    }
  });

  it('those that ran in circles are stopped before they did their work', () => {
    const limit = least(['agent', 'unattended'], 'most_repeats');
    const circles = recordings.flatMap((recording) => recording.circles ?? []);
    expect(circles.length).toBeGreaterThan(0);
    for (const circle of circles) {
      const steps = stepsOf(circle);
      expect(stopOf(wire, steps, limit), circle).toBeLessThan(steps.length);
    }
  });
});
