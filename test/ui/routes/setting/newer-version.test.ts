import { expect, test } from 'vitest';
import { isNewerVersion } from '../../../../src/ui/routes/setting/content/newer-version.ts';

test.each([
  ['v0.2.0', '0.1.0', true],
  ['v0.1.0', '0.1.0', false],
  ['v0.1', '0.1.0', false],
  ['v0.10.0', '0.9.9', true],
  ['0.9.9', '0.10.0', false],
  ['v1.0.0', '1.0.0-rc.2', true],
  ['v1.0.0-rc.10', '1.0.0-rc.2', true],
  ['v1.0.0-rc.1', '1.0.0', false],
  ['nightly', '1.0.0', true],
  ['nightly', 'nightly', false],
])('%s against %s: %s', (release, running, newer) => {
  expect(isNewerVersion(release, running)).toBe(newer);
});
