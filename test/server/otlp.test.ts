// Covers src/core/metrics.
/** Metrics and the process log as a collector of OpenTelemetry gets them (docs/rules/process.md#telemetry). */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProcessLog } from '../../src/cli/connection/process-log.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { partOf } from '../../src/core/kernel/logger.ts';
import { Exposition, type Family } from '../../src/core/metrics/exposition.ts';
import { Histogram } from '../../src/core/metrics/histogram.ts';
import { pushLogs, pushMetrics } from '../../src/core/metrics/otlp.ts';
import {
  createSender,
  headersFor,
  isExported,
  type Sent,
} from '../../src/core/metrics/otlp-sender.ts';
import { createLastingApp, createTestApp } from '../support/app.ts';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly doubleValue?: number };
}
interface LogRecord {
  readonly body: { readonly stringValue: string };
  readonly attributes: readonly Attribute[];
}
interface Points {
  readonly dataPoints: readonly {
    readonly attributes: readonly Attribute[];
    readonly explicitBounds?: readonly number[];
  }[];
}
interface Metric {
  readonly name: string;
  readonly sum?: Points;
  readonly gauge?: Points;
  readonly histogram?: Points;
}
interface Payload {
  readonly resourceLogs?: readonly { scopeLogs: readonly { logRecords: readonly LogRecord[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[];
  }[];
}
interface Received {
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly json: Payload;
}
const received: Received[] = [];
const waiting: (() => void)[] = [];
const sendOk = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};
let answer = sendOk;
let server: Server;
let endpoint: string;

beforeEach(async () => {
  received.length = 0;
  answer = sendOk;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      received.push({ path, headers, json: JSON.parse(Buffer.concat(chunks).toString()) });
      answer(response);
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  for (const name of Object.keys(process.env))
    if (name.startsWith('OTEL_')) delete process.env[name];
});

/** The requests of a path, once there are so many. */
async function arrived(path: string, count: number): Promise<readonly Received[]> {
  for (;;) {
    const found = received.filter((one) => one.path === path);
    if (found.length >= count) return found;
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}
const said: string[] = [];
const logger = {
  debug() {},
  error() {},
  info: (fields: object, text: string) => {
    said.push(`${text} ${JSON.stringify(fields)}`);
    for (const wake of waiting.splice(0)) wake();
  },
  warn: (fields: object, text: string) => void said.push(`${text} ${JSON.stringify(fields)}`),
};
const deps = () => ({ endpoint, logger, version: '1.2.3', instance: 'one', now: () => 60_000 });
const recordsOf = ({ json }: Received) => json.resourceLogs?.[0]?.scopeLogs[0]?.logRecords ?? [];
const bodiesOf = (one: Received): readonly string[] =>
  recordsOf(one).map(({ body }) => body.stringValue);
const metricsOf = (one: Received | undefined) =>
  one?.json.resourceMetrics?.[0]?.scopeMetrics[0]?.metrics ?? [];
const line = (msg: string, fields: object = {}) =>
  JSON.stringify({ level: 30, time: '1970-01-01T00:00:01.500Z', pid: 1, ...fields, msg });

test('a site sends the figures of /metrics and its log lines, without what is secret', async () => {
  process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'x-key=a%20b, other=c';
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-otlp-'));
  const { config } = loadConfig({
    flags: { 'data-dir': folder, 'log-level': 'warn,relay=info' },
    environment: {},
    cwd: folder,
  });
  const log = openProcessLog(config);
  const { app, clock } = await createLastingApp(
    { OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`, TURNPIKE_METRICS_TOKEN: 'read' },
    true,
    undefined,
    log.logger,
  );
  const error = new TypeError('no such field');
  partOf(log.logger, 'relay').info({ channel: 3, token: 'sk-secret' }, 'an attempt failed');
  partOf(log.logger, 'jobs').info({}, 'below its level');
  log.logger.error({ error }, 'a job failed');
  const [first] = await arrived('/v1/logs', 1);
  if (first === undefined) throw new Error('nothing arrived');
  expect(recordsOf(first)).toMatchObject([
    {
      severityNumber: 9,
      severityText: 'INFO',
      body: { stringValue: 'an attempt failed' },
      attributes: [
        { key: 'channel', value: { doubleValue: 3 } },
        { key: 'token', value: { stringValue: '[secret]' } },
        { key: 'turnpike.part', value: { stringValue: 'relay' } },
      ],
    },
    {
      severityNumber: 17,
      attributes: expect.arrayContaining([
        { key: 'exception.type', value: { stringValue: 'TypeError' } },
        { key: 'exception.message', value: { stringValue: 'no such field' } },
      ]),
    },
  ]);
  expect(first.headers).toMatchObject({
    'x-key': 'a b',
    other: 'c',
    'content-type': 'application/json',
  });

  app.metrics.outcomes.record(1, 'failed');
  log.logger.warn({}, 'the last line');
  const page = app.metrics.render?.() ?? '';
  await app.close();
  const [pushed] = await arrived('/v1/metrics', 1);
  expect(pushed?.json.resourceMetrics?.[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'turnpike' },
  });
  const metrics = metricsOf(pushed);
  expect(metrics.map(({ name }) => name)).toEqual(
    [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name),
  );
  const [requests] = metrics;
  expect(requests).toMatchObject({
    name: 'turnpike_requests_total',
    sum: { isMonotonic: true, aggregationTemporality: 2 },
  });
  const failed = requests?.sum?.dataPoints.find(
    ({ attributes }) => attributes[0]?.value.stringValue === 'failed',
  );
  expect(failed).toMatchObject({ asDouble: 1, timeUnixNano: `${clock.now()}000000` });
  expect(page).toContain('turnpike_requests_total{outcome="failed"} 1');
  expect(page).toContain(`process_start_time_seconds ${Math.floor(clock.now() / 1000)}\n`);
  expect((await arrived('/v1/logs', 2)).flatMap(bodiesOf)).toContain('the last line');
  await log.close();
  rmSync(folder, { recursive: true });
});

test('histograms have their buckets one by one, and what is no number is left out', async () => {
  const page = new Exposition();
  const histogram = new Histogram();
  for (const ms of [50, 200, 200, 999_000]) histogram.observe(ms);
  page.addHistogram('h', 'help', [{ labels: { channel: 1 }, histogram }]);
  page.add('gauge', 'g', 'help', [{ value: Number.NaN }, { value: 2 }]);
  await pushMetrics(deps(), () => page.families, 1000).close();
  const [pushed] = await arrived('/v1/metrics', 1);
  const [h, g] = metricsOf(pushed);
  expect(h?.histogram?.dataPoints[0]).toMatchObject({
    count: '4',
    startTimeUnixNano: '1000000000',
    timeUnixNano: '60000000000',
    bucketCounts: ['1', '2', ...Array.from({ length: 10 }, () => '0'), '1'],
    attributes: [{ key: 'channel', value: { stringValue: '1' } }],
  });
  expect(h?.histogram?.dataPoints[0]?.explicitBounds).toHaveLength(12);
  expect(g?.gauge?.dataPoints).toMatchObject([{ asDouble: 2 }]);
});

test('figures are sent at the interval, and one collector that hangs is asked once at a time', async () => {
  process.env['OTEL_METRIC_EXPORT_INTERVAL'] = '1';
  let reads = 0;
  const families: Family[] = [{ kind: 'counter', name: 'c', help: '', samples: [{ value: 1 }] }];
  const pusher = pushMetrics(
    deps(),
    () => {
      reads += 1;
      return families;
    },
    0,
  );
  await arrived('/v1/metrics', 2);
  const held: ServerResponse[] = [];
  answer = (response) => void held.push(response);
  await arrived('/v1/metrics', received.length + 1);
  const during = reads;
  // As many turns of a timer of the same interval.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect([held.length, reads]).toEqual([1, during]);
  answer = sendOk;
  for (const response of held) sendOk(response);
  await arrived('/v1/metrics', received.length + 1);
  await pusher.close();
});

test('a collector that is away gets the lines when it is back; a full queue counts what it drops', async () => {
  process.env['OTEL_BLRP_SCHEDULE_DELAY'] = '1';
  process.env['OTEL_BLRP_MAX_QUEUE_SIZE'] = '3';
  said.length = 0;
  answer = (response) => void response.destroy();
  const logs = pushLogs(deps());
  logs.take(line('one'));
  await arrived('/v1/logs', 1);
  for (const text of ['two', 'three', 'four', 'five']) logs.take(line(text));
  expect(logs.dropped()).toBe(2);
  answer = sendOk;
  const [, again] = await arrived('/v1/logs', 2);
  expect(again && bodiesOf(again)).toEqual(['one', 'two', 'three']);
  while (said.length < 2) await new Promise<void>((resolve) => waiting.push(resolve));
  await new Promise((resolve) => setImmediate(resolve)); // the sender has read the reply, and goes on
  logs.take(line('six'));
  await logs.close();
  expect(said).toEqual([
    expect.stringMatching(/^the collector takes no telemetry \{"signal":"logs","problem":".+"\}$/),
    'the collector takes telemetry again {"signal":"logs"}',
  ]);
  logs.take(line('too late'));
  expect([(await arrived('/v1/logs', 3)).flatMap(bodiesOf).at(-1), logs.dropped()]).toEqual([
    'six',
    3,
  ]);
});

test('what a collector refuses is dropped and counted, so that it stops nothing', async () => {
  process.env['OTEL_BLRP_SCHEDULE_DELAY'] = '1';
  answer = (response) => void response.writeHead(400).end('{}');
  const logs = pushLogs(deps());
  logs.take('not JSON');
  await arrived('/v1/logs', 1);
  answer = (response) =>
    void response.writeHead(200).end('{"partialSuccess":{"rejectedLogRecords":"1"}}');
  logs.take(line('a'));
  logs.take(line('b'));
  await logs.close();
  expect([logs.dropped(), (await arrived('/v1/logs', 2)).length]).toEqual([2, 2]);
});

test('a busy collector may be asked again, one that refuses is not', async () => {
  said.length = 0;
  const { send } = createSender(deps(), 'metrics');
  const results: Sent[] = [];
  for (const status of [429, 503, 404, 200]) {
    answer = (response) => void response.writeHead(status).end('');
    results.push(await send({}, 4));
  }
  expect(results).toEqual(['away', 'away', { dropped: 4 }, { dropped: 0 }]);
  expect(said).toEqual([
    'the collector takes no telemetry {"signal":"metrics","problem":"HTTP 429"}',
    'the collector takes telemetry again {"signal":"metrics"}',
  ]);
});

test('a stop does not wait for a collector that is gone', async () => {
  await new Promise((resolve) => server.close(resolve));
  const logs = pushLogs(deps());
  logs.take(line('lost'));
  await logs.close();
  await pushMetrics(deps(), () => [], 0).close();
  expect(received).toEqual([]);
});

test('variables of OpenTelemetry turn signals off and add headers', async () => {
  expect(isExported('logs', { OTEL_LOGS_EXPORTER: 'none' })).toBe(false);
  expect(isExported('logs', { OTEL_LOGS_EXPORTER: 'otlp' })).toBe(true);
  expect(isExported('metrics', { OTEL_LOGS_EXPORTER: 'none' })).toBe(true);
  const headers = headersFor('logs', {
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=%E0%A4%A,=x',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'a=2',
  });
  expect([headers.get('a'), headers.get('b')]).toEqual(['2', null]);
  process.env['OTEL_METRICS_EXPORTER'] = 'none';
  process.env['OTEL_LOGS_EXPORTER'] = 'none';
  process.env['OTEL_TRACES_EXPORTER'] = 'none';
  const { app } = await createTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  expect([app.metrics.render, app.metrics.tracer]).toEqual([undefined, undefined]);
});
