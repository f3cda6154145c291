/**
 * Metrics and log lines as OTLP's JSON has them
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding; seen 2026-11-29): whole numbers
 * of 64 bits are texts.
 */
import { isObject, parseJson } from '../kernel/json.ts';
import type { Family, HistogramSeries, Labels } from './exposition.ts';
import { durationBounds } from './histogram.ts';

export interface OtlpSource {
  readonly version: string;
  /** Names the process. */
  readonly instance: string;
}

type Value = { stringValue: string } | { doubleValue: number } | { boolValue: boolean };
interface Attribute {
  readonly key: string;
  readonly value: Value;
}

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

function attribute(key: string, given: unknown): Attribute {
  if (typeof given === 'number' && Number.isFinite(given))
    return { key, value: { doubleValue: given } };
  if (typeof given === 'boolean') return { key, value: { boolValue: given } };
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
  return { key, value: { stringValue: text } };
}

const attributesOf = (fields: Readonly<Record<string, unknown>>): readonly Attribute[] =>
  Object.entries(fields).map(([key, value]) => attribute(key, value));

/** Labels are texts, as Prometheus has them. */
const labelsOf = (labels: Labels = {}): readonly Attribute[] =>
  Object.entries(labels).map(([key, value]) => attribute(key, String(value)));

const envelopeOf = ({ version, instance }: OtlpSource) => ({
  resource: {
    attributes: attributesOf({
      'service.name': process.env['OTEL_SERVICE_NAME'] || 'turnpike',
      'service.version': version,
      'service.instance.id': instance,
    }),
  },
  scope: { name: 'turnpike', version },
});

const cumulative = 2;

/** Both times in Unix milliseconds; counters count from the first. */
export function metricsPayload(
  source: OtlpSource,
  families: readonly Family[],
  startedAt: number,
  now: number,
): object {
  const { resource, scope } = envelopeOf(source);
  const at = { startTimeUnixNano: nanoseconds(startedAt), timeUnixNano: nanoseconds(now) };
  const metrics = families.map((family) => {
    const named = { name: family.name, description: family.help };
    if (family.kind === 'histogram') {
      const dataPoints = family.series.map((series) => ({ ...at, ...histogramPoint(series) }));
      return { ...named, histogram: { dataPoints, aggregationTemporality: cumulative } };
    }
    const dataPoints = family.samples
      .filter(({ value }) => Number.isFinite(value))
      .map(({ labels, value }) => ({ ...at, attributes: labelsOf(labels), asDouble: value }));
    if (family.kind === 'gauge') return { ...named, gauge: { dataPoints } };
    return {
      ...named,
      sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true },
    };
  });
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] };
}

function histogramPoint({ labels, histogram }: HistogramSeries) {
  const { upTo, count, sum } = histogram.read();
  const all = [...upTo, count];
  return {
    attributes: labelsOf(labels),
    count: String(count),
    sum,
    bucketCounts: all.map((number, index) => String(number - (all[index - 1] ?? 0))),
    explicitBounds: durationBounds,
  };
}

/** By the numbers that a line has. */
const severities: Readonly<Record<number, readonly [number: number, text: string]>> = {
  20: [5, 'DEBUG'],
  30: [9, 'INFO'],
  40: [13, 'WARN'],
  50: [17, 'ERROR'],
};

/** Lines of the process log, whose secrets are removed. */
export function logsPayload(source: OtlpSource, lines: readonly string[]): object {
  const { resource, scope } = envelopeOf(source);
  return {
    resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: lines.map(recordOf) }] }],
  };
}

function recordOf(line: string) {
  const parsed = parseJson(line);
  const { level, time, pid: _, part, msg, error, ...fields } = isObject(parsed) ? parsed : {};
  const [severityNumber, severityText] = severities[Number(level)] ?? [0, ''];
  return {
    timeUnixNano: nanoseconds(Date.parse(String(time)) || 0),
    severityNumber,
    severityText,
    body: { stringValue: String(msg ?? '') },
    attributes: attributesOf({
      ...fields,
      ...(part !== undefined && { 'turnpike.part': part }),
      ...errorFields(error),
    }),
  };
}

/** Named as OpenTelemetry's conventions name exceptions. */
function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error === undefined) return {};
  if (!isObject(error)) return { 'exception.message': error };
  const { type = 'Error', message = '', stack } = error;
  return {
    'exception.type': type,
    'exception.message': message,
    ...(stack !== undefined && { 'exception.stacktrace': stack }),
  };
}
