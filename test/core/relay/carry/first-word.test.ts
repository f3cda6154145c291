/**
 * Whatever fails before the first word of an answer is served by another channel, forwarded or
 * translated (docs/rules/streams.md#reply-begins).
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { startQuota } from '../../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sse, type Wire } from '../../../support/half-answers.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';
import { callers, errors, models, openings, types } from './openings.ts';

let gateway: TestGateway;
let failing: TestUpstream;
let spare: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  [failing, spare] = await Promise.all([startUpstream(), startUpstream()]);
  await gateway.set('RetryTimes', 1);
  await gateway.set('AutomaticDisableChannelEnabled', false);
  const others = Object.values(models).join(',');
  await gateway.addChannel({
    type: 1,
    baseUrl: spare.url,
    models: others,
    setting: JSON.stringify({ use_responses: false }),
  });
  spare.answer(chatReply('from the spare'));
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([failing.close(), spare.close()]);
});

/** A channel that fails first, afresh: its circuit would open soon. */
function addFailing(wire: Wire): Promise<number> {
  return gateway.addChannel({
    type: types[wire],
    baseUrl: failing.url,
    models: models[wire],
    priority: 1,
    setting: JSON.stringify(types[wire] === 1 ? { use_responses: wire === 'responses' } : {}),
  });
}

async function ask(caller: Wire, wire: Wire, key: string): Promise<Response> {
  const { path, body } = callers[caller](models[wire]);
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Cohere's clients learn of a broken answer by the cut connection. */
async function textUntilCut({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    return text;
  }
  return text;
}

/** Each event of the opening in a packet of its own, then the failure. */
function opened(wire: Wire, count: number, fail: (reply: ServerResponse) => void) {
  return async (reply: ServerResponse) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of openings[wire].slice(0, count)) {
      await new Promise((written) => reply.write(sse(event), written));
      await new Promise(setImmediate);
    }
    fail(reply);
  };
}

const failures: Readonly<Record<string, (wire: Wire) => (reply: ServerResponse) => void>> = {
  'an error': (wire) => (reply) => reply.end(sse(errors[wire])),
  'a reset': () => (reply) => reply.destroy(),
  'a clean end': () => (reply) => reply.end(),
  'half an event': (wire) => (reply) => reply.end(sse(errors[wire]).slice(0, -12)),
};

const native = (Object.keys(models) as Wire[]).map((wire) => [wire, wire] as const);
const translated = native.flatMap(([wire]) =>
  wire === 'chat' ? [] : [['chat', wire] as const, [wire, 'chat'] as const],
);
const cases = [...native, ...translated]
  .filter(([caller, wire]) => wire !== 'completions' || caller === wire)
  .flatMap(([caller, wire]) =>
    Object.keys(failures).map((failure) => [caller, wire, failure] as const),
  );

describe('before the first word', () => {
  it.each(cases)(
    'a caller of %s, from an upstream of %s, is served by another channel after %s',
    async (caller, wire, failure) => {
      const { key, username } = await gateway.addCustomer(startQuota);
      for (let count = 1; count <= openings[wire].length; count++) {
        const id = await addFailing(wire);
        failing.answer(opened(wire, count, (failures[failure] as (typeof failures)[string])(wire)));
        const text = await (await ask(caller, wire, key)).text();
        expect(text.replaceAll(/[^a-z]/g, ''), `after ${count} events`).toMatch(/from.*the.*spare/);
        expect(text).not.toContain('overloaded');
        await gateway.client.channel.remove({ id });
      }
      const { items } = await gateway.client.log.list({ username, type: 2 });
      expect(items).toHaveLength(openings[wire].length);
      for (const { other } of items)
        expect(readLogOther(other).admin_info?.route).toMatchObject([{}, { status: 200 }]);
    },
  );

  it('what promises an answer is sent after two seconds, where no pings are sent either, and costs nothing if no more comes', async () => {
    await gateway.set('general_setting.ping_interval_enabled', false);
    const wires = ['messages', 'chat', 'responses', 'gemini', 'cohere'] as const;
    for (const wire of wires) await addFailing(wire);
    const cases = [
      ...wires.map((wire) => [wire, wire, 'an error', 'overloaded'] as const),
      ['messages', 'messages', 'a clean end', 'error'],
      ['chat', 'messages', 'an error', 'overloaded'],
      ['chat', 'messages', 'a reset', 'error'],
    ] as const;
    const checks: Promise<void>[] = [];
    for (const [caller, wire, failure, told] of cases) {
      const { key, username, userId } = await gateway.addCustomer(startQuota);
      // One after the other: the upstream does not see who asks.
      const fail = Promise.withResolvers<() => void>();
      failing.answer(
        opened(wire, 2, (reply) => fail.resolve(() => failures[failure]?.(wire)(reply))),
      );
      const asked = ask(caller, wire, key);
      const failNow = await fail.promise;
      const check = async () => {
        const reply = await asked;
        expect(reply.status).toBe(200);
        failNow();
        expect(await textUntilCut(reply), `${caller}, ${failure}`).toContain(told);
        const { items } = await gateway.client.log.list({ username, type: 2 });
        expect(items).toMatchObject([{ quota: 0, prompt_tokens: 0, completion_tokens: 0 }]);
        expect(readLogOther(items[0]?.other ?? '').ended).toBe('upstream_cut');
        expect((await gateway.client.user.get({ id: userId })).quota).toBe(startQuota);
      };
      checks.push(check());
    }
    await Promise.all(checks);
  });
});
