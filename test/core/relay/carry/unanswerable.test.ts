import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { systemClock } from '../../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import type { RelayDeps } from '../../../../src/core/relay/context.ts';
import { createRelay } from '../../../../src/core/relay/entry/relay.ts';
import type { Router } from '../../../../src/core/relay/select/router.ts';
import { defaultGuardPolicy } from '../../../../src/core/upstream/guard.ts';

it('closes the connection of a request without a possible reply, and keeps running', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', hear);
  const deps = {
    clock: systemClock,
    logger: silentLogger,
    cluster: createMemoryCluster(systemClock),
    guard: defaultGuardPolicy,
    limits: { maxBodyBytes: 1000 },
    policy: () => {
      throw new Error('options that cannot be read');
    },
  };
  const relay = createRelay(deps as unknown as RelayDeps, {} as Router);
  const server = createServer((request, response) => void relay.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(fetch(`http://127.0.0.1:${port}/v1/models`)).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect([unheard, relay.active]).toEqual([[], 0]);
  process.off('unhandledRejection', hear);
  server.close();
  await relay.close();
});
