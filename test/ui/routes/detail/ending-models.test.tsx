// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { EndingModels } from '../../../../src/ui/routes/detail/ending-models.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => loadTextPart('detail'));

const ending = (model: string, successor = '') => ({
  ...{ model, ends: '2026-11-30', successor, channels: [3] },
});

it('names what ends with its day and successor', () => {
  show(<EndingModels models={[ending('claude-old', 'claude-new'), ending('gpt-old')]} />, '/');
  const text = screen.getByRole('status').textContent;
  expect(text).toContain('claude-old (2026-11-30) → claude-new, gpt-old (2026-11-30).');
});

it('stays short on a site with many', () => {
  show(<EndingModels models={Array.from({ length: 40 }, (_, n) => ending(`model-${n}`))} />, '/');
  const text = screen.getByRole('status').textContent ?? '';
  expect([text.includes('model-7'), text.includes('model-8'), text.includes('…')]).toEqual([
    ...[true, false, true],
  ]);
});

it('says nothing where nothing ends', () => {
  show(<EndingModels models={[]} />, '/');
  expect(screen.queryByRole('status')).toBeNull();
});
