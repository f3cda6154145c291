import { expect, it } from 'vitest';
import { requestPath } from '../../../src/core/kernel/request-path.ts';

it.each([
  ['/v1/models', '/v1/models'],
  ['/v1/models?key=a?b', '/v1/models'],
  ['/', '/'],
  ['', '/'],
  ['//v1/models', '/v1/models'],
  ['///v1//models', '/v1//models'],
  ['http://gate.test:3000/v1/models?a=1', '/v1/models'],
  ['HTTPS://gate.test//v1/models', '/v1/models'],
  ['http://gate.test', '/'],
  ['*', '/*'],
])('the path of %s', (target, path) => {
  expect(requestPath(target)).toBe(path);
});
