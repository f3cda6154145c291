/** What administrators below root see of an option (docs/rules/options.md#readers). */
import { expect, test } from 'vitest';
import { withoutCredentials } from '../../../src/core/site/listed-options.ts';

test('JSON that cannot be read is hidden as a whole; what has no credential stays as it is written', () => {
  const option = (value: string) =>
    withoutCredentials({ key: 'claude.model_headers_settings', value }).value;
  expect(option('{"default": [200,  100]}')).toBe('{"default": [200,  100]}');
  expect(option('{"default": "Bearer abc"}')).toBe('{"default":"***"}');
  expect(option('{"default": "Bearer abc"')).toBe('***');
});
