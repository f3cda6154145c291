/**
 * A site that sells the models of the cases at its default prices, and asks for them by every
 * caller's format.
 */
import { expect } from 'vitest';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import { explainLog } from '../../../../src/core/pricing/explain.ts';
import { startCallBench } from '../../../support/calls.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type VendorReply, vendorReply } from '../../../support/vendor-replies.ts';
import { listCases, listedEntries, listedModels } from './list-cases.ts';
import { searchCases } from './search-cases.ts';
import { tierCases } from './tier-cases.ts';
import { type Caller, type Case, callers, tokenCases } from './token-cases.ts';
import { toolCases } from './tool-cases.ts';
import { type ListEntry, listEntries } from './vendor-lists.ts';

/** Models by the type of their channel. They are sold at the prices of a new site. */
const served: Readonly<Record<number, string>> = {
  1: 'gpt-6-sol,gpt-6.1-sol,gpt-5.5,gpt-5.4,gpt-5.4-mini,gpt-4.1,gpt-image-2,gpt-audio,gpt-audio-1.5,gpt-audio-mini,gpt-5-search-api,gpt-4o-search-preview',
  14: 'claude-opus-5-5,claude-sonnet-5-5,claude-haiku-5-5,claude-fable-5-1',
  17: 'qwen3.8-flash,qwen3.7-plus,qwen3-coder-plus,qwen3-coder-flash',
  20: 'claude-opus-4-7',
  24: 'gemini-3.1-pro-preview,gemini-3.8-flash,gemini-2.5-flash,gemini-3-pro-image,gemini-3.1-flash-image',
  25: 'kimi-k3',
  26: 'glm-5.3',
  27: 'sonar,sonar-pro,sonar-deep-research',
  35: 'MiniMax-M3',
  42: 'mistral-large-4',
  43: 'deepseek-v4-pro',
  45: 'doubao-seed-2-0-mini-260215,doubao-seed-2-0-pro-260215',
  48: 'grok-4.7',
};

const unit = 500_000;
/** A Wednesday in DeepSeek's peak hours. */
export const peak = new Date('2026-11-25T02:00:00Z');

export const everyCase: readonly Case[] = [
  ...tokenCases,
  ...tierCases,
  ...toolCases,
  ...searchCases,
  ...listCases,
];

/** Undefined: no list has the model. */
export function listOf(model: string): ListEntry | undefined {
  return listEntries[model] ?? listedEntries[model];
}

/** A case by one caller's format, whole or streamed. */
export interface CalledCase extends Case {
  readonly caller: Caller;
  readonly stream: boolean;
}

/** In every format that can say so, whole and streamed. */
export const calledCases: readonly CalledCase[] = everyCase.flatMap((one) =>
  (one.by ?? callers).flatMap((caller) =>
    [false, true].map((stream) => ({ ...one, caller, stream })),
  ),
);

/** Each case whole and streamed by one format, each format in its turn. */
export const oneCallerEach: readonly CalledCase[] = everyCase.flatMap((one, place) => {
  const able = one.by ?? callers;
  const caller = able[place % able.length] ?? 'chat';
  return [false, true].map((stream) => ({ ...one, caller, stream }));
});

export const quotaOf = (dollars: number) => Math.round(dollars * unit);

function requestOf(caller: Caller, model: string, stream: boolean): readonly [string, object] {
  const messages = [{ role: 'user', content: 'hi' }];
  const options = stream ? { stream, stream_options: { include_usage: true } } : {};
  if (caller === 'chat') return ['/v1/chat/completions', { model, messages, ...options }];
  if (caller === 'messages') return ['/v1/messages', { model, messages, max_tokens: 100, stream }];
  if (caller === 'responses') return ['/v1/responses', { model, input: 'hi', stream }];
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const call = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return [`/v1beta/models/${model}:${call}`, { contents }];
}

export async function startVendorSite() {
  const bench = await startCallBench('none');
  for (const [type, models] of Object.entries(served)) {
    const names = [models, ...(listedModels[type] ?? [])].join(',');
    await bench.gateway.addChannel({
      type: Number(type),
      baseUrl: bench.upstream.url,
      models: names,
    });
  }
  const customer = await bench.gateway.addCustomer(1e12);
  let spent = await bench.spent(customer.userId);
  /** Quota that the customer was charged since the last call. */
  const charged = async (): Promise<number> => {
    const before = spent;
    spent = await bench.spent(customer.userId);
    return spent - before;
  };
  let replies = 0;
  /** Each reply with containers of its own. */
  const answer = (said: VendorReply) => {
    replies += 1;
    const own = JSON.stringify(said).replaceAll('cntr_', `cntr_${replies}_`);
    bench.upstream.answer(vendorReply(JSON.parse(own) as VendorReply));
  };

  /** Quota charged, and the row, whose explanation must give the same. */
  const chargeOf = async (
    caller: Caller,
    model: string,
    stream: boolean,
    said: VendorReply & Pick<Case, 'ask'>,
  ) => {
    answer(said);
    const [path, body] = requestOf(caller, model, stream);
    const reply = await bench.post(path, customer.key, JSON.stringify({ ...body, ...said.ask }));
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
    const { row, other } = await bench.newestLog(customer.username);
    const quota = await charged();
    const logged = {
      prompt_tokens: Number(row['prompt_tokens']),
      completion_tokens: Number(row['completion_tokens']),
      quota,
      other,
    };
    expect(explainLog(logged, decimal(unit))).toMatchObject({ exact: true, quota });
    return { quota, row, other };
  };

  /** The same by a frame of Responses by WebSocket. */
  const overSocket = async (model: string, said: VendorReply): Promise<number> => {
    answer(said);
    const url = `${bench.gateway.url.replace('http', 'ws')}/v1/responses`;
    const headers = { authorization: `Bearer ${customer.key}` };
    const client = await openSocket(url, { headers });
    client.send({ type: 'response.create', store: false, model, input: 'hi' });
    for (;;) {
      const { type } = await client.next();
      if (type === 'response.completed') break;
      expect(type).not.toMatch(/error|failed/);
    }
    client.socket.close();
    return charged();
  };

  return { bench, customer, requestOf, charged, chargeOf, overSocket, close: () => bench.close() };
}

export type VendorSite = Awaited<ReturnType<typeof startVendorSite>>;
