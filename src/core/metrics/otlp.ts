/**
 * Metrics and the process log for a collector of OpenTelemetry (docs/rules/process.md#telemetry),
 * beside the traces: the figures of `/metrics` at an interval, log lines in batches. Nothing waits
 * for the collector.
 */
import type { Logger } from '../kernel/logger.ts';
import type { Family } from './exposition.ts';
import { logsPayload, metricsPayload, type OtlpSource } from './otlp-payload.ts';
import { createSender } from './otlp-sender.ts';

export interface OtlpDeps extends OtlpSource {
  /** As in OTEL_EXPORTER_OTLP_ENDPOINT: without `/v1/…`. */
  readonly endpoint: string;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Names and defaults of OpenTelemetry's SDK configuration. */
const numberOf = (name: string, fallback: number): number => {
  const value = Number(process.env[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : fallback;
};

export interface Pusher {
  /** Sends what there is, once. */
  close(): Promise<void>;
}

/** `startedAt`: since when counters count, in Unix milliseconds. */
export function pushMetrics(
  deps: OtlpDeps,
  collect: () => readonly Family[],
  startedAt: number,
): Pusher {
  const { send } = createSender(deps, 'metrics');
  // What could not be sent is in the next one: counters only grow.
  const push = async (): Promise<void> => {
    try {
      await send(metricsPayload(deps, collect(), startedAt, deps.now()), 0);
    } catch (error) {
      deps.logger.error({ error }, 'the metrics could not be read; they are read again');
    }
  };
  let last: Promise<void> = Promise.resolve();
  let isSending = false;
  const timer = setInterval(
    () => {
      if (isSending) return;
      isSending = true;
      last = push().finally(() => {
        isSending = false;
      });
    },
    numberOf('OTEL_METRIC_EXPORT_INTERVAL', 60_000),
  ).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await last;
      await push();
    },
  };
}

export interface LogPusher extends Pusher {
  /** Takes a line of the process log. Never throws, never waits. */
  take(line: string): void;
  /** Lines that the collector did not get. */
  dropped(): number;
}

/** Milliseconds before a collector that is away is tried again: after the first time, and at most. */
const retryDelay = 1000;
const longestDelay = 30_000;

export function pushLogs(deps: OtlpDeps): LogPusher {
  const { send } = createSender(deps, 'logs');
  const most = numberOf('OTEL_BLRP_MAX_QUEUE_SIZE', 2048);
  const batchSize = Math.min(most, numberOf('OTEL_BLRP_MAX_EXPORT_BATCH_SIZE', 512));
  const delay = numberOf('OTEL_BLRP_SCHEDULE_DELAY', 1000);
  const queue: string[] = [];
  let dropped = 0;
  let wait = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isClosed = false;

  const sendBatch = async (): Promise<void> => {
    const lines = queue.slice(0, batchSize);
    if (lines.length === 0) return;
    const sent = await send(logsPayload(deps, lines), lines.length);
    if (sent === 'away') {
      wait = Math.min(longestDelay, Math.max(retryDelay, wait * 2));
      return;
    }
    wait = 0;
    queue.splice(0, lines.length);
    dropped += sent.dropped;
  };
  const schedule = (): void => {
    if (timer !== undefined || sending !== undefined || queue.length === 0 || isClosed) return;
    const pause = wait > 0 ? wait : queue.length >= batchSize ? 0 : delay;
    timer = setTimeout(() => {
      timer = undefined;
      sending = sendBatch().finally(() => {
        sending = undefined;
        schedule();
      });
    }, pause).unref();
  };
  return {
    take: (line) => {
      if (queue.length >= most || isClosed) {
        dropped += 1;
        return;
      }
      queue.push(line);
      schedule();
    },
    dropped: () => dropped,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      let left = queue.length + 1;
      while (queue.length > 0 && queue.length < left) {
        left = queue.length;
        await sendBatch();
      }
    },
  };
}
