/** Traces as a collector gets them (docs/rules/process.md#traces). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../support/calls.ts';
import { sendJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
  readonly status: { readonly code: number; readonly message?: string };
}

let collector: TestUpstream;
let bench: CallBench;
beforeAll(async () => {
  collector = await startUpstream();
  collector.answer((response) => sendJson(response, 200, {}));
  bench = await startCallBench('gpt-4o-mini', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
});
afterAll(async () => {
  await bench?.close();
  await collector?.close();
});

const secretText = 'a secret of the caller';
const post = (key: string, model: string, headers: Record<string, string> = {}) =>
  fetch(`${bench.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: secretText }] }),
  });

const spans = (): Span[] =>
  collector.requests
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ json }) =>
      (json['resourceSpans'] as { scopeSpans: { spans: Span[] }[] }[]).flatMap(
        ({ scopeSpans }) => scopeSpans,
      ),
    )
    .flatMap((scope) => scope.spans);
const attributesOf = (span: Span | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );

it('requests and their attempts arrive when the gateway stops at the latest, in the trace of the caller, without contents', async () => {
  const { key, userId } = await bench.gateway.addCustomer(startQuota);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await post(key, 'gpt-4o-mini', { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  await post(key, 'unknown-model', { traceparent: 'nonsense' });
  bench.upstream.answer((response) => sendJson(response, 500, { error: { message: 'boom' } }));
  await post(key, 'gpt-4o-mini');
  await bench.gateway.restart();

  const all = spans();
  const served = all.find(
    (span) => span.traceId === traceId && span.parentSpanId === 'b7ad6b7169203331',
  );
  expect(served?.name).toBe('/v1/chat/completions gpt-4o-mini');
  expect(attributesOf(served)).toMatchObject({
    'http.response.status_code': 200,
    'gen_ai.request.model': 'gpt-4o-mini',
    'turnpike.user_id': userId,
    'gen_ai.usage.input_tokens': expect.any(Number),
    'turnpike.quota': expect.any(Number),
  });
  const attempt = all.find((span) => span.parentSpanId === served?.spanId);
  expect(attributesOf(attempt)).toMatchObject({
    'turnpike.channel_name': expect.any(String),
    'http.response.status_code': 200,
  });
  expect(BigInt(attempt?.startTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(
    BigInt(served?.startTimeUnixNano ?? 0),
  );
  expect(attempt?.endTimeUnixNano).toBe(served?.endTimeUnixNano);

  const refused = all.find((span) => span.name.endsWith('unknown-model'));
  expect(refused?.parentSpanId ?? '').toBe('');
  expect(attributesOf(refused)).toMatchObject({ 'error.type': 'no_channel' });
  const failed = all.find(
    (span) =>
      attributesOf(span)['http.response.status_code'] === 500 && span.name.startsWith('/v1'),
  );
  expect(failed?.status.code).toBe(2);
  expect(all.find((span) => span.parentSpanId === failed?.spanId)?.status).toMatchObject({
    code: 2,
    message: 'boom',
  });
  expect(JSON.stringify(all)).not.toContain(secretText);
});

it('a collector that is away disturbs nobody', async () => {
  await collector.close();
  const { key } = await bench.gateway.addCustomer(startQuota);
  bench.upstream.answer((response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    }),
  );
  expect((await post(key, 'gpt-4o-mini')).status).toBe(200);
});
