/** What monitoring reads, one metric after the other (docs/rules/process.md#metrics). */
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Ledger } from '../billing/ledger.ts';
import type { Exposition } from './exposition.ts';
import type { RequestMetrics } from './request-metrics.ts';

export interface Measured {
  readonly version: string;
  /** Unix seconds. */
  readonly startedAt: number;
  readonly ledger: Pick<Ledger, 'queue' | 'holds'>;
  readonly isCircuitOpen: (channelId: number) => boolean;
  /** Requests under way. */
  readonly active: () => number;
}

/** Milliseconds between two looks at the event loop. */
export const resolution = 20;

export function addRequests(
  page: Exposition,
  requests: RequestMetrics,
  { active, isCircuitOpen }: Measured,
): void {
  const series = requests.series();
  const labelled = series.map((one) => ({
    one,
    labels: { channel: one.channelId, model: one.model },
  }));
  page.add(
    'counter',
    'turnpike_requests_total',
    'Requests by how they ended; refused: for a fault of the caller.',
    Object.entries(requests.outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  page.add('gauge', 'turnpike_requests_active', 'Requests under way.', [{ value: active() }]);
  page.add(
    'counter',
    'turnpike_attempts_total',
    'Attempts on channels; cut: a stream that ended early.',
    labelled.flatMap(({ one, labels }) =>
      (['ok', 'cut', 'failed'] as const).map((result) => ({
        labels: { ...labels, result },
        value: one[result],
      })),
    ),
  );
  page.add(
    'counter',
    'turnpike_attempt_errors_total',
    'Attempts that failed, by the status that the upstream replied with; 0: none.',
    labelled.flatMap(({ one, labels }) =>
      [...one.failedByStatus].map(([status, value]) => ({ labels: { ...labels, status }, value })),
    ),
  );
  page.addHistogram(
    'turnpike_request_duration_seconds',
    'From the arrival of a request to the end of its reply.',
    labelled.map(({ one, labels }) => ({ labels, histogram: one.duration })),
  );
  page.addHistogram(
    'turnpike_first_token_seconds',
    'From the start of an attempt to the first byte of the reply.',
    labelled.map(({ one, labels }) => ({ labels, histogram: one.firstByte })),
  );
  page.add(
    'counter',
    'turnpike_tokens_total',
    'Tokens of replies that were served; cached ones are among those of the prompt.',
    labelled.flatMap(({ one, labels }) => [
      { labels: { ...labels, kind: 'prompt' }, value: one.promptTokens },
      { labels: { ...labels, kind: 'completion' }, value: one.completionTokens },
      { labels: { ...labels, kind: 'cached' }, value: one.cachedTokens },
    ]),
  );
  page.add(
    'counter',
    'turnpike_quota_charged_total',
    'Quota charged for requests.',
    labelled.map(({ one, labels }) => ({ labels, value: one.quota })),
  );
  const turns = Object.entries(requests.conversations);
  page.add(
    'counter',
    'turnpike_conversation_turns_total',
    'Later turns of conversations; kept: by the account that has their cache.',
    turns.map(([affinity, { turns: value }]) => ({ labels: { affinity }, value })),
  );
  page.add(
    'counter',
    'turnpike_conversation_tokens_total',
    'Tokens of their prompts; cached ones are among them.',
    turns.flatMap(([affinity, { promptTokens, cachedTokens }]) => [
      { labels: { affinity, kind: 'prompt' }, value: promptTokens },
      { labels: { affinity, kind: 'cached' }, value: cachedTokens },
    ]),
  );
  const channels = [...new Set(series.map(({ channelId }) => channelId))];
  page.add(
    'gauge',
    'turnpike_channel_circuit_open',
    'Whether the circuit of a channel is open; of channels that were tried since the start.',
    channels.map((channel) => ({ labels: { channel }, value: isCircuitOpen(channel) ? 1 : 0 })),
  );
}

export function addProcess(
  page: Exposition,
  delay: ReturnType<typeof monitorEventLoopDelay>,
  { ledger, version, startedAt }: Measured,
): void {
  const queue = ledger.queue();
  page.add('gauge', 'turnpike_ledger_queue', 'Settlements that wait to be written.', [
    { value: queue.waiting },
  ]);
  page.add(
    'gauge',
    'turnpike_ledger_stalled',
    'Whether the database refuses writes, so that requests are refused.',
    [{ value: queue.stalled ? 1 : 0 }],
  );
  page.add('gauge', 'turnpike_holds', 'Holds of requests and tasks that are under way.', [
    { value: ledger.holds() },
  ]);
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000);
  page.add(
    'gauge',
    'turnpike_event_loop_lag_seconds',
    'Delays of the event loop since the last reading.',
    [
      { labels: { quantile: '0.5' }, value: lag(delay.percentile(50)) },
      { labels: { quantile: '0.99' }, value: lag(delay.percentile(99)) },
      { labels: { quantile: '1' }, value: lag(delay.max) },
    ],
  );
  delay.reset();
  const memory = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  page.add('counter', 'process_cpu_seconds_total', 'CPU time of all threads.', [
    { value: (user + system) / 1e6 },
  ]);
  page.add('gauge', 'process_resident_memory_bytes', 'Memory of the process.', [
    { value: memory.rss },
  ]);
  page.add('gauge', 'nodejs_heap_used_bytes', 'Heap of the main thread.', [
    { value: memory.heapUsed },
  ]);
  page.add('gauge', 'nodejs_external_memory_bytes', 'Buffers outside the heap.', [
    { value: memory.external },
  ]);
  page.add('gauge', 'process_start_time_seconds', 'When the process started.', [
    { value: startedAt },
  ]);
  page.add('gauge', 'turnpike_build_info', 'The release.', [{ labels: { version }, value: 1 }]);
}
