import { describe, expect, it } from 'vitest';
import { chosenModels, offeredModels } from '../../../../src/ui/routes/channel/model-choice.ts';

const models = offeredModels(
  ['a', 'b', 'c', 'c'],
  ['old', 'a', 'alias', 'broken'],
  '{"alias":"b","broken":"gone"}',
);

describe('the models of an upstream', () => {
  it('are marked as new or present, and those it no longer has as missing', () => {
    expect(models).toEqual([
      { name: 'old', state: 'missing' },
      { name: 'broken', state: 'missing' },
      { name: 'a', state: 'present' },
      { name: 'b', state: 'new' },
      { name: 'c', state: 'new' },
      { name: 'alias', state: 'present' },
    ]);
  });

  it('come after those of the channel, whose order stays', () => {
    expect(
      chosenModels(models, ['old', 'a', 'alias', 'broken'], new Set(['c', 'a', 'alias', 'b'])),
    ).toEqual(['a', 'alias', 'b', 'c']);
  });
});
