// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeFilter } from '../../../src/ui/list/time-filter.tsx';
import { logSpans, type Preset, presetRange } from '../../../src/ui/list/time-range.ts';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

const lateEvening = new Date('2026-11-20T23:30:00');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(lateEvening);
});
afterEach(() => vi.useRealTimers());

const now = lateEvening.getTime() / 1000;

it.each([
  ['yesterday', presetRange('yesterday', now)],
  // Three days at most, though the preset ends an hour from now.
  [
    'threeDays',
    { ...presetRange('threeDays', now), end: new Date('2026-11-21T00:00:00').getTime() / 1000 },
  ],
] as const)(
  'offers the span %s to the second, and as one that can be applied',
  async (name, range) => {
    const onCustom = vi.fn();
    show(
      <TimeFilter
        spans={logSpans}
        preset={name satisfies Preset}
        custom={undefined}
        onPreset={() => undefined}
        onCustom={onCustom}
        label="Time"
      />,
    );
    fireEvent.click(screen.getByRole('button', { name: /^Time/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Apply' }));
    expect(onCustom.mock.calls).toEqual([[range]]);
  },
);
