import { describe, expect, it } from 'vitest';
import { labelFor, toneColours as terminal, toneFor } from '../../../src/cli/show/labels.ts';
import { statusTones, toneOf } from '../../../src/core/vocabulary/status-tones.ts';
import { toneColours as browser, colourOf } from '../../../src/ui/components/status-colours.ts';
import { wordKey } from '../../../src/ui/i18n/words.ts';

const groups = Object.keys(statusTones) as (keyof typeof statusTones)[];

describe.each(groups)('%s', (group) => {
  it.each(Object.keys(statusTones[group]).map(Number))('%i says the same everywhere', (value) => {
    const tone = toneOf(group, value);
    if (tone === undefined) throw new Error('the table has it');
    expect(toneFor(group, value)).toBe(terminal[tone]);
    expect(colourOf(group, value)).toBe(browser[tone]);
    expect(wordKey(group, value)).toBe(`${group}.${value}`);
    expect(labelFor(group, value, 'en')).not.toMatch(/^\d*$/);
  });

  it('a number that is not known says nothing', () => {
    expect(toneFor(group, 99)).toBe('plain');
    expect(colourOf(group, 99)).toBe('off');
    expect(labelFor(group, 99, 'en')).toBe('99');
    expect(wordKey(group, 99)).toMatch(/^(role\.unknown|logType\.0)$/);
  });
});
