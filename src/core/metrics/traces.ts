/**
 * Traces of requests for OpenTelemetry (docs/rules/process.md#traces): one span per request, and
 * one per attempt below it. They are made when a request is over, so that requests do nothing for
 * them before. No contents are in them.
 */
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { RequestTrace, TracedAttempt, Tracer } from './tracer.ts';

export interface TracesDeps {
  /** The address of a collector without `/v1/traces`, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly version: string;
  /** Names the process. */
  readonly instance: string;
}

/** Milliseconds that sending may take: also how long a stop waits for a collector that is away. */
const sendTimeout = 3000;

interface OpenTracer extends Tracer {
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Headers, sampling, batches and the service's name follow the library's own variables (OTEL_*).
 */
export function openTracer({ endpoint, version, instance }: TracesDeps): OpenTracer {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] || 'turnpike',
      'service.version': version,
      'service.instance.id': instance,
    }),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({
          url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
          timeoutMillis: sendTimeout,
        }),
      ),
    ],
  });
  const tracer = provider.getTracer('turnpike', version);
  const propagator = new W3CTraceContextPropagator();
  const parentOf = (traceparent: string | undefined) =>
    traceparent === undefined
      ? ROOT_CONTEXT
      : propagator.extract(
          ROOT_CONTEXT,
          { traceparent },
          {
            get: (carrier: Readonly<Record<string, string>>, key) => carrier[key],
            keys: (carrier) => Object.keys(carrier),
          },
        );

  return {
    record: (request) => {
      const parent = parentOf(request.traceparent);
      const span = tracer.startSpan(
        `${request.path} ${request.model}`.trim(),
        {
          kind: SpanKind.SERVER,
          startTime: request.startedAt,
          attributes: requestAttributes(request),
        },
        parent,
      );
      const inside = trace.setSpan(parent, span);
      for (const { attempt, startedAt, endedAt } of spread(request)) {
        const child = tracer.startSpan(
          `channel ${attempt.channel}`,
          { kind: SpanKind.CLIENT, startTime: startedAt, attributes: attemptAttributes(attempt) },
          inside,
        );
        if (attempt.error !== undefined)
          child.setStatus({
            code: SpanStatusCode.ERROR,
            message: attempt.message ?? attempt.error,
          });
        child.end(endedAt);
      }
      // A fault of the caller is none of the gateway (OpenTelemetry, HTTP spans).
      const isFailure = request.error !== undefined && request.status >= 500;
      if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR, message: request.error });
      span.end(request.endedAt);
    },
    close: () => provider.shutdown(),
  };
}

/** The attempts follow each other, and the last one ends with the request. */
function spread({ attempts, startedAt, endedAt }: RequestTrace) {
  let end = endedAt;
  const placed: {
    readonly attempt: TracedAttempt;
    readonly startedAt: number;
    readonly endedAt: number;
  }[] = [];
  for (const attempt of [...attempts].reverse()) {
    const start = Math.max(startedAt, end - attempt.ms);
    placed.unshift({ attempt, startedAt: start, endedAt: end });
    end = start;
  }
  return placed;
}

/** Names of OpenTelemetry's conventions for HTTP and generative AI where they have one. */
function requestAttributes(request: RequestTrace): Attributes {
  const { charged } = request;
  return {
    'http.route': request.path,
    'http.response.status_code': request.status,
    'gen_ai.request.model': request.model,
    'turnpike.request_id': request.requestId,
    'turnpike.group': request.group,
    'turnpike.user_id': request.userId,
    'turnpike.token_id': request.tokenId,
    ...(request.error === undefined ? {} : { 'error.type': request.error }),
    ...(request.ended === undefined ? {} : { 'turnpike.ended': request.ended }),
    ...(charged === undefined
      ? {}
      : {
          'gen_ai.response.model': charged.upstreamModel,
          'gen_ai.usage.input_tokens': charged.promptTokens,
          'gen_ai.usage.output_tokens': charged.completionTokens,
          'turnpike.cached_tokens': charged.cachedTokens,
          'turnpike.quota': charged.quota,
          'turnpike.stream': charged.stream,
          ...(charged.firstByteMs === undefined
            ? {}
            : { 'turnpike.first_byte_ms': charged.firstByteMs }),
        }),
  };
}

function attemptAttributes({
  channel,
  name,
  type,
  reason,
  status,
  error,
}: TracedAttempt): Attributes {
  return {
    'turnpike.channel_id': channel,
    'turnpike.channel_name': name,
    'turnpike.channel_type': type,
    'turnpike.reason': reason,
    'http.response.status_code': status,
    ...(error === undefined ? {} : { 'error.type': error }),
  };
}
