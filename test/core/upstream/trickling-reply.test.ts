// Covers src/core/upstream/account.ts
/** Calls of tasks and accounts have an end, however often a byte comes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEffects } from '../../../src/core/upstream/account.ts';
import { createUpstream } from '../../../src/core/upstream/send.ts';
import { createTestClock } from '../../support/app.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

let server: TestUpstream;
const upstream = createUpstream();
beforeAll(async () => {
  server = await startUpstream();
});
afterAll(async () => {
  await upstream.close();
  await server.close();
});

it('a reply that trickles is given up', async () => {
  server.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  });
  const effects = createEffects(upstream, createTestClock(), undefined);
  const reply = effects.fetch({ method: 'GET', url: server.url, headers: {}, timeoutMs: 500 });
  await expect(reply).rejects.toMatchObject({ code: 'upstream_timeout' });
  await expect.poll(() => server.aborted).toBe(1);
});
