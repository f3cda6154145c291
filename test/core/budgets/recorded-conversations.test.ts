/**
 * Recorded conversations of agents that did their work: none comes near a preset's limit of
 * repetitions, in any request (docs/rules/budgets.md#fences).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repeatsOf } from '../../../src/core/budgets/fence.ts';
import { budgetPresets } from '../../../src/core/entities/budget-presets.ts';
import { modelTurns } from '../../../src/core/relay/admit/model-turns.ts';
import { type Step, wires } from './agent-wires.ts';
import { bodyOf } from './body-of.ts';

interface Recording {
  readonly source: string;
  readonly license: string;
  readonly conversations: readonly string[];
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

const presets = Object.values(budgetPresets);
const mostRepeats = Math.min(...presets.map((preset) => preset.most_repeats));
const mostRequests = Math.min(
  budgetPresets.agent.most_requests,
  budgetPresets.unattended.most_requests,
);

describe.each(Object.entries(wires))('in the wire of %s', (_, wire) => {
  it.each(recordings)('none of $source is stopped', ({ conversations }) => {
    let requests = 0;
    for (const [index, conversation] of conversations.entries()) {
      const steps = conversation.split(' ').map(stepOf);
      expect(steps.length, `requests of conversation ${index}`).toBeLessThan(mostRequests);
      for (let end = 1; end <= steps.length; end += 1) {
        requests += 1;
        const repeats = repeatsOf(modelTurns(bodyOf(wire, steps.slice(0, end))));
        expect(repeats, `${index}: ${conversation}`).toBeLessThan(mostRepeats);
      }
    }
    expect(requests).toBeGreaterThan(10 * conversations.length);
  });

  it('a recorded call is stopped where it is repeated', () => {
    const call = stepOf(`0.${'a'.repeat(6)}.${'b'.repeat(6)}`);
    const loop = Array.from({ length: mostRepeats }, () => call);
    expect(repeatsOf(modelTurns(bodyOf(wire, loop)))).toBe(mostRepeats);
  });
});
