/** Health and metrics over HTTP (docs/rules/process.md#health). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const chat = (model: string) =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] });

describe('without a token', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  it('health is open to everybody, and there are no metrics', async () => {
    expect(await (await fetch(`${gateway.url}/healthz`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${gateway.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ok',
      checks: { accepting: true, database: true, ledger: true },
    });
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
  });
});

describe('with a token', () => {
  const token = 'scrape-me';
  let bench: CallBench;
  beforeAll(async () => {
    bench = await startCallBench('gpt-4o-mini', { TURNPIKE_METRICS_TOKEN: token });
  });
  afterAll(() => bench.close());

  const scrape = async (): Promise<string> => {
    const reply = await fetch(`${bench.gateway.url}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return reply.text();
  };

  it('only its holder reads them', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${token}`]) {
      const reply = await fetch(`${bench.gateway.url}/metrics`, { headers: { authorization } });
      expect([authorization, reply.status]).toEqual([authorization, 401]);
    }
  });

  it('requests are counted as they end, and names that callers invent are no labels', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    expect((await bench.post('/v1/chat/completions', key, chat('gpt-4o-mini'))).status).toBe(200);
    for (const name of ['evil-1', 'evil-2"}', 'evil-3\n'])
      await bench.post('/v1/chat/completions', key, chat(name));
    const text = await scrape();
    expect(text).not.toContain('evil');
    expect(text).toContain('turnpike_requests_total{outcome="succeeded"} 1');
    expect(text).toMatch(
      /turnpike_attempts_total\{channel="\d+",model="gpt-4o-mini",result="ok"\} 1/,
    );
    expect(text).toMatch(
      /turnpike_first_token_seconds_count\{channel="\d+",model="gpt-4o-mini"\} 1/,
    );
    expect(text).toMatch(/turnpike_quota_charged_total\{channel="\d+",model="gpt-4o-mini"\} [1-9]/);
    expect(text).toContain('turnpike_ledger_queue 0');
    expect(text).toMatch(/turnpike_channel_circuit_open\{channel="\d+"\} 0/);
    expect(text).toMatch(/turnpike_event_loop_lag_seconds\{quantile="0.99"\} \d/);
    // Each line is a comment or a sample.
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? -?[\d.e+-]+)$/);
  });

  it('failed attempts are counted by their status', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(503).end('{}');
    });
    const { key } = await bench.gateway.addCustomer(startQuota);
    await bench.post('/v1/chat/completions', key, chat('gpt-4o-mini'));
    expect(await scrape()).toMatch(
      /turnpike_attempt_errors_total\{channel="\d+",model="gpt-4o-mini",status="503"\} [1-9]/,
    );
  });
});
