/**
 * Monitoring (docs/rules/process.md#metrics). Without a key for it nothing is counted, without a
 * collector nothing is traced.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OutcomeRecorder } from '../logs/outcome-recorder.ts';
import type { TrafficMeter } from '../logs/traffic-meter.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import { addProcess, addRequests, type Measured, resolution } from './collect.ts';
import { Exposition } from './exposition.ts';
import { createRequestMetrics } from './request-metrics.ts';
import type { Tracer } from './tracer.ts';

export interface MetricsModuleDeps extends Measured {
  /** TURNPIKE_METRICS_TOKEN; '': off. */
  readonly token: string;
  /** OTEL_EXPORTER_OTLP_ENDPOINT; '': no traces, and nothing else for a collector. */
  readonly otlpEndpoint: string;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly logger: Logger;
  /** Absent: the log has no lines for a collector. */
  readonly tapLog: Logger['tap'];
  readonly clock: Clock;
  readonly traffic: TrafficMeter;
  readonly outcomes: OutcomeRecorder;
}

export interface MetricsServices {
  /** What the relay reports to. */
  readonly traffic: TrafficMeter;
  readonly outcomes: OutcomeRecorder;
  /** The text that Prometheus reads; undefined where monitoring is off. */
  readonly render: (() => string) | undefined;
  /** Undefined: requests are not traced. */
  readonly tracer: Tracer | undefined;
}

export async function createMetricsModule(
  deps: MetricsModuleDeps,
): Promise<ServiceModule<MetricsServices>> {
  const { traffic, outcomes, token, otlpEndpoint: endpoint, version, ids } = deps;
  const instance = ids.uuid();
  const sender = endpoint === '' ? undefined : await import('./otlp-sender.ts');
  const isSent = (signal: 'traces' | 'metrics' | 'logs') => sender?.isExported(signal) === true;
  const tracer = isSent('traces')
    ? (await import('./traces.ts')).openTracer({ endpoint, version, instance })
    : undefined;
  const stopTracing = async () =>
    tracer
      ?.close()
      .catch((error: unknown) => deps.logger.warn({ error }, 'traces could not be sent'));
  const otlp = sender === undefined ? undefined : await import('./otlp.ts');
  const target = {
    endpoint,
    version,
    instance,
    logger: deps.logger,
    now: () => deps.clock.now(),
  };
  const logs = isSent('logs') ? otlp?.pushLogs(target) : undefined;
  const stopTap = logs && deps.tapLog?.(logs.take);
  const stopLogs = async () => {
    stopTap?.();
    await logs?.close();
  };
  if (token === '' && !isSent('metrics'))
    return {
      services: { traffic, outcomes, render: undefined, tracer },
      close: async () => {
        await Promise.all([stopTracing(), stopLogs()]);
      },
    };
  const requests = createRequestMetrics();
  /** Each reader has its own: the delays of the event loop are those since its last reading. */
  const openReader = () => {
    const delay = monitorEventLoopDelay({ resolution });
    delay.enable();
    const read = (): Exposition => {
      const page = new Exposition();
      addRequests(page, requests, deps);
      addProcess(page, delay, deps);
      if (logs !== undefined)
        page.add(
          'counter',
          'turnpike_log_lines_unsent_total',
          'Log lines that the collector did not get.',
          [{ value: logs.dropped() }],
        );
      return page;
    };
    return { read, close: () => delay.disable() };
  };
  const page = token === '' ? undefined : openReader();
  const pushed = isSent('metrics') ? openReader() : undefined;
  const startedAt = deps.startedAt * 1000;
  const metrics = pushed && otlp?.pushMetrics(target, () => pushed.read().families, startedAt);
  return {
    services: {
      traffic: requests.watchTraffic(traffic),
      outcomes: requests.watchOutcomes(outcomes),
      render: page && (() => page.read().text()),
      tracer,
    },
    close: async () => {
      await Promise.all([stopTracing(), stopLogs(), metrics?.close()]);
      page?.close();
      pushed?.close();
    },
  };
}
