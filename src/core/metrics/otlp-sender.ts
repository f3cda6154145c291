/** Requests to a collector by OTLP over HTTP (docs/rules/process.md#telemetry). */

import { isObject, parseJson } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';

/** Milliseconds that a request may take: also how long a stop waits for a collector that is away. */
const sendTimeout = 3000;
/** Replies after which the same may be sent again (OTLP specification, Failures). */
const passing = new Set([429, 502, 503, 504]);

/** How many of the items were not taken; `away`: none, and they may be sent again. */
export type Sent = { readonly dropped: number } | 'away';

export interface Sender {
  /** Never rejects. `items`: how many are in the payload. */
  send(payload: object, items: number): Promise<Sent>;
}

/** Whether a signal goes to the collector: OTEL_METRICS_EXPORTER=none turns metrics off. */
export function isExported(
  signal: 'traces' | 'metrics' | 'logs',
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  const exporter = environment[`OTEL_${signal.toUpperCase()}_EXPORTER`]?.trim();
  return exporter === undefined || exporter === '' || exporter.split(',').includes('otlp');
}

/** `api-key=abc,x=y%20z`, those of the signal over the common ones. */
export function headersFor(signal: string, environment: NodeJS.ProcessEnv): Headers {
  const headers = new Headers();
  for (const name of ['', `${signal.toUpperCase()}_`]) {
    for (const pair of (environment[`OTEL_EXPORTER_OTLP_${name}HEADERS`] ?? '').split(',')) {
      const at = pair.indexOf('=');
      if (at < 1) continue;
      try {
        headers.set(pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim()));
      } catch {
        // Neither a header nor an escape: the traces' exporter leaves it out, too.
      }
    }
  }
  headers.set('content-type', 'application/json');
  return headers;
}

/** Says in the log when the collector begins to take nothing, and when it takes again. */
export function createSender(
  { endpoint, logger }: { readonly endpoint: string; readonly logger: Logger },
  signal: 'metrics' | 'logs',
): Sender {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
  const headers = headersFor(signal, process.env);
  let isAway = false;
  const note = (problem: string | undefined): void => {
    if (isAway === (problem !== undefined)) return;
    isAway = problem !== undefined;
    if (isAway) logger.warn({ signal, problem }, 'the collector takes no telemetry');
    else logger.info({ signal }, 'the collector takes telemetry again');
  };
  return {
    async send(payload, items) {
      try {
        const reply = await fetch(url, {
          method: 'POST',
          headers,
          redirect: 'error',
          body: JSON.stringify(payload),
          signal: AbortSignal.timeout(sendTimeout),
        });
        const text = await reply.text();
        note(reply.ok ? undefined : `HTTP ${reply.status}`);
        if (reply.ok) return { dropped: Math.min(items, rejectedIn(text)) };
        return passing.has(reply.status) ? 'away' : { dropped: items };
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
        note(cause instanceof Error ? cause.message : String(cause));
        return 'away';
      }
    },
  };
}

/** Of a partial success. */
function rejectedIn(text: string): number {
  const reply = parseJson(text);
  const partial = isObject(reply) ? reply['partialSuccess'] : undefined;
  if (!isObject(partial)) return 0;
  return Number(partial['rejectedLogRecords'] ?? partial['rejectedDataPoints'] ?? 0) || 0;
}
