/** One gateway in front of an upstream for each wire, and a customer who can pay. */
import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { type UpstreamFormat, upstreamFormats } from './upstream-formats.ts';

export interface ConversionBench {
  readonly gateway: TestGateway;
  /** Of a customer with a large wallet. */
  readonly key: string;
  upstream(name: UpstreamFormat['name']): TestUpstream;
}

interface BenchSettings {
  /** Models that the channel of a wire serves. */
  readonly modelOf?: (format: UpstreamFormat) => string;
  /** What happens to each upstream before its channel exists. */
  readonly ready?: (format: UpstreamFormat, upstream: TestUpstream) => Promise<void>;
  readonly environment?: Record<string, string>;
}

/** Starts and ends with the tests of the file. */
export function createConversionBench({
  modelOf = ({ model }) => model,
  ready,
  environment,
}: BenchSettings = {}): ConversionBench {
  let gateway: TestGateway;
  let key: string;
  const upstreams = new Map<string, TestUpstream>();
  beforeAll(async () => {
    gateway = await startTestGateway(environment);
    await gateway.set('SelfUseModeEnabled', true);
    for (const format of upstreamFormats) {
      const upstream = await startUpstream();
      upstreams.set(format.name, upstream);
      await ready?.(format, upstream);
      await gateway.addChannel({
        ...format.channel,
        baseUrl: upstream.url,
        models: modelOf(format),
      });
    }
    key = (await gateway.addCustomer(1_000_000_000)).key;
  });
  afterAll(async () => {
    await gateway.close();
    for (const upstream of upstreams.values()) await upstream.close();
  });
  return {
    get gateway() {
      return gateway;
    },
    get key() {
      return key;
    },
    upstream: (name) => upstreams.get(name) as TestUpstream,
  };
}
