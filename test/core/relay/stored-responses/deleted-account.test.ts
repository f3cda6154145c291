/** Of an account that is deleted during a turn nothing is kept (docs/rules/responses.md#expiry). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { messageItem, responsesReply } from '../../../support/responses-upstream.ts';
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const model = 'gpt-test';
let gateway: TestGateway;
let upstream: TestUpstream;
beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('ModelRatio', { [model]: 1 });
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: model });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

describe.each(['deactivated', 'removed'] as const)('an account that is %s', (how) => {
  /** Runs a turn, and ends the account while its upstream works. */
  async function turn(fields: object) {
    const { key, userId } = await gateway.addCustomer(10_000_000);
    const sdk = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const conversation = await sdk.conversations.create({});
    const gate = Promise.withResolvers<void>();
    upstream.requests.length = 0;
    upstream.answer(async (response, request) => {
      await gate.promise;
      return responsesReply([messageItem('hello', `msg_${userId}`)])(response, request);
    });
    const named = 'conversation' in fields ? { conversation: conversation.id } : {};
    const running = sdk.responses.create({ model, input: 'hi', ...fields, ...named });
    await vi.waitFor(() => expect(upstream.requests).toHaveLength(1), 20_000);
    if (how === 'removed') await gateway.client.user.remove({ id: userId });
    else await gateway.client.user.manage({ id: userId, action: 'delete' });
    gate.resolve();
    await running;
    const file = readdirSync(gateway.dataDir).find((name) => /^(?!lock).*\.db$/.test(name)) ?? '';
    const database = new Database(join(gateway.dataDir, file), { readonly: true });
    const living = (table: string) =>
      database
        .prepare(`SELECT count(*) FROM ${table} WHERE user_id = ? AND expires_at > 0`)
        .pluck()
        .get(userId);
    const left = { responses: living('stored_responses'), conversations: living('conversations') };
    database.close();
    return left;
  }

  it('leaves no response', async () => {
    expect(await turn({})).toEqual({ responses: 0, conversations: 0 });
  });

  it('leaves no conversation', async () => {
    expect(await turn({ conversation: true })).toEqual({ responses: 0, conversations: 0 });
  });
});
