/** Where pages may post forms (docs/rules/security.md#form-targets). */
import { expect, test } from 'vitest';
import { startTestServer } from './http.ts';

test.each([
  ['', "'self'"],
  ['https://pay.example/epay', "'self' https:"],
  ['http://pay.example:8080/epay', "'self' https: http://pay.example:8080"],
  ['http://[::1]:8080/epay', "'self' https: http://[::1]:8080"],
  // A host that would end the directive.
  ['http://pay;script-src.example/', "'self' https:"],
])('payment address %j: forms go to %s', async (address, targets) => {
  const { operator, send } = await startTestServer();
  await operator.option.set({ key: 'ServerAddress', value: 'https://gw.example' });
  await operator.option.set({ key: 'PayAddress', value: address });
  const policy = (await send('GET', '/api/status')).headers.get('content-security-policy') ?? '';
  expect(policy.split(';').find((part) => part.startsWith('form-action'))).toBe(
    `form-action ${targets}`,
  );
});
