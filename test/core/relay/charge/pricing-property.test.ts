/**
 * Random prices, groups and usages through the whole gateway: what the log row says, what the
 * ledger took and what the explanation shows equal the oracle, to the unit.
 */
import { expect, test } from 'vitest';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import { parseObject } from '../../../../src/core/kernel/json.ts';
import { explainLog } from '../../../../src/core/pricing/explain.ts';
import { fc, times } from '../../../support/property.ts';
import { sendJson } from '../../../support/upstream.ts';
import { type OracleUsage, oracleForCalls, oracleForTokens } from '../../pricing/oracle.ts';
import { ratioArbitrary, usageArbitrary } from '../../pricing/random-usage.ts';
import { startRelay, upstream } from '../select/relay-support.ts';

const unit = 500_000;

/** So that the customer's wallet is never in the way. */
const modest = ratioArbitrary.filter((ratio) => ratio <= 100);

const caseArbitrary = fc.record({
  kind: fc.constantFrom(
    'chat' as const,
    'chat stream' as const,
    'messages' as const,
    'call' as const,
    'images' as const,
  ),
  /** Of the name, for the surcharge on searches. */
  claude: fc.boolean(),
  usage: usageArbitrary,
  ratio: modest,
  completion: modest,
  cache: modest,
  write: modest,
  image: modest,
  audio: fc.option(modest, { nil: undefined }),
  audioOut: modest,
  price: modest,
  images: fc.integer({ min: 1, max: 4 }),
  size: fc.constantFrom(
    ['1024x1024', 1] as const,
    ['512x512', 0.45] as const,
    ['1792x1024', 2] as const,
  ),
  group: fc.constantFrom('default', 'vip', 'special'),
});
type Case = typeof caseArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const groupRatios = { default: 1, vip: 0.8, special: 4 / 3 };
/** The customer's own group is `default`. */
const specialRatios = { default: { special: 0.337 } };
const ratioOf = (group: Case['group']) => (group === 'special' ? 0.337 : groupRatios[group]);

const nameOf = ({ claude }: Case, index: number) => `${claude ? 'claude' : 'plain'}-case-${index}`;
const isMessages = ({ kind }: Case) => kind === 'messages';

/** As a vendor of each kind reports it, and the part of it that this kind can report. */
function reportedBy({ kind, usage }: Case): { readonly wire: object; readonly seen: OracleUsage } {
  const none = {
    cached: 0,
    written: 0,
    writtenForHour: 0,
    image: 0,
    audioIn: 0,
    audioOut: 0,
    searches: 0,
  };
  // Nothing reported would be counted here instead.
  const prompt = Math.max(1, usage.prompt);
  const completion = Math.max(1, usage.completion);
  if (kind === 'messages') {
    const { cached, written, writtenForHour, searches } = usage;
    const wire = {
      input_tokens: prompt - cached - written,
      output_tokens: completion,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      cache_creation: {
        ephemeral_5m_input_tokens: written - writtenForHour,
        ephemeral_1h_input_tokens: writtenForHour,
      },
      server_tool_use: { web_search_requests: searches },
    };
    return {
      wire,
      seen: { ...none, prompt, completion, cached, written, writtenForHour, searches },
    };
  }
  const { cached, image, audioIn, audioOut } = usage;
  const wire = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: audioIn, image_tokens: image },
    completion_tokens_details: { audio_tokens: audioOut },
  };
  return { wire, seen: { ...none, prompt, completion, cached, image, audioIn, audioOut } };
}

function expectedFor(sample: Case): number {
  const site = { groupRatio: ratioOf(sample.group), quotaPerUnit: unit };
  if (sample.kind === 'call') return oracleForCalls(sample.price, 1, 1, site);
  if (sample.kind === 'images')
    return oracleForCalls(sample.ratio, sample.images, 0.0025 * sample.size[1], site);
  return oracleForTokens(
    reportedBy(sample).seen,
    { ...sample, searches: sample.claude ? 10 : 0 },
    site,
  );
}

test('log, ledger and explanation of random requests equal the oracle', {
  timeout: 60_000 * times,
}, async () => {
  const samples = fc.sample(caseArbitrary, { numRuns: 150 * times, seed: 20_261_122 });
  const tableOf = (value: (sample: Case) => number | undefined) =>
    JSON.stringify(
      Object.fromEntries(samples.map((sample, index) => [nameOf(sample, index), value(sample)])),
    );
  const relay = await startRelay({
    ModelRatio: tableOf((sample) => sample.ratio),
    ModelPrice: tableOf((sample) => (sample.kind === 'call' ? sample.price : undefined)),
    CompletionRatio: tableOf((sample) => sample.completion),
    CacheRatio: tableOf((sample) => sample.cache),
    CreateCacheRatio: tableOf((sample) => sample.write),
    ImageRatio: tableOf((sample) => sample.image),
    AudioRatio: tableOf((sample) => sample.audio),
    AudioCompletionRatio: tableOf((sample) => sample.audioOut),
    GroupRatio: JSON.stringify(groupRatios),
    GroupGroupRatio: JSON.stringify(specialRatios),
    UserUsableGroups: JSON.stringify({ default: 'd', vip: 'v', special: 's' }),
  });
  const { operator } = relay;
  const customer = (await operator.user.search({ keyword: 'customer' })).items[0];
  if (customer === undefined) throw new Error('the relay has a customer');
  await operator.user.update({ id: customer.id, quota: 900_000_000_000_000 });
  const keys = new Map<string, string>();
  for (const group of Object.keys(groupRatios)) {
    const { key } = await operator.userTokens.create({
      name: group,
      unlimited_quota: true,
      user: 'customer',
      group,
    });
    keys.set(group, key);
  }
  const vendor = await upstream();
  const group = Object.keys(groupRatios).join(',');
  const models = (wanted: boolean) =>
    samples
      .flatMap((sample, index) => (isMessages(sample) === wanted ? [nameOf(sample, index)] : []))
      .join(',');
  await relay.addChannel(vendor, { type: 1, models: models(false), group });
  await relay.addChannel(vendor, { type: 14, models: models(true), group });
  const balance = async () => (await operator.user.get({ id: customer.id })).quota;

  for (const [index, sample] of samples.entries()) {
    const model = nameOf(sample, index);
    vendor.answer((response) => {
      const { wire } = reportedBy(sample);
      if (sample.kind === 'images')
        return sendJson(response, 200, {
          created: 1,
          data: Array(sample.images).fill({ url: 'u' }),
        });
      if (sample.kind === 'messages') {
        const content = [{ type: 'text', text: 'ok' }];
        const message = {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model,
          content,
          stop_reason: 'end_turn',
          usage: wire,
        };
        return sendJson(response, 200, message);
      }
      const head = { id: 'c', created: 1, model };
      if (sample.kind !== 'chat stream') {
        const choices = [
          { index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' },
        ];
        return sendJson(response, 200, {
          ...head,
          object: 'chat.completion',
          choices,
          usage: wire,
        });
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const choices = [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }];
      const chunks = [
        { ...head, choices },
        { ...head, choices: [], usage: wire },
      ];
      response.end(
        `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
      );
    });
    const before = await balance();
    const headers = {
      authorization: `Bearer sk-${keys.get(sample.group)}`,
      'x-api-key': `sk-${keys.get(sample.group)}`,
    };
    const messages = [{ role: 'user', content: 'Hello' }];
    const reply = await (sample.kind === 'images'
      ? relay.post(
          '/v1/images/generations',
          { model, prompt: 'a lake', n: sample.images, size: sample.size[0] },
          headers,
        )
      : sample.kind === 'messages'
        ? relay.post('/v1/messages', { model, max_tokens: 10, messages }, headers)
        : relay.post(
            '/v1/chat/completions',
            { model, messages, stream: sample.kind === 'chat stream' },
            headers,
          ));
    expect(reply.status, reply.text).toBe(200);

    const what = `${sample.kind} ${model}`;
    const expected = expectedFor(sample);
    const row = (await operator.log.list({ type: 2, model_name: model })).items[0];
    expect(row?.quota, what).toBe(expected);
    const posting = (await operator.ledger.list({ user_id: customer.id })).items.find(
      ({ kind }) => kind === 'charge',
    );
    if (expected > 0) expect(posting?.amount, what).toBe(-expected);
    expect(before - (await balance()), what).toBe(expected);
    if (row === undefined) throw new Error('the request is logged');
    const ticket = explainLog({ ...row, other: parseObject(row.other) ?? {} }, decimal(unit));
    expect(ticket, what).toMatchObject({ quota: expected, exact: true });
  }
  expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
});
