import { expect, it, vi } from 'vitest';
import { defaultOptions } from '../../../src/core/options/index.ts';
import { serverStatus } from '../../../src/core/options/status-object.ts';

/** A feature that is declared and not built: which ones are changes with each release. */
vi.mock(import('../../../src/core/options/facts.ts'), async (original) => {
  const actual = await original();
  return {
    ...actual,
    isBuiltOption: (key) => key !== 'DrawingEnabled' && actual.isBuiltOption(key),
  };
});

it('the status disables features that are not built, whatever an import stored', () => {
  const facts = { version: '0.1.0', startTime: 1, isSetUp: true, port: 3000 };
  expect(
    serverStatus({ ...defaultOptions(), DrawingEnabled: true, RegisterEnabled: true }, facts),
  ).toMatchObject({
    enable_drawing: false,
    register_enabled: true,
  });
});
