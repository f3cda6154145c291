import type { Call } from '../../../../src/core/canonical/provider.ts';
import { Secret } from '../../../../src/core/kernel/secret.ts';

/** A call with default options for an upstream that is never contacted. */
export function testCall(changes: Partial<Call> = {}): Call {
  return {
    baseUrl: 'https://upstream.test',
    key: new Secret('the-key'),
    model: 'a-model',
    clientPath: '',
    clientHeaders: {},
    other: '',
    settings: {},
    options: {
      vendor: { 'gemini.safety_settings': { default: 'OFF' } },
    },
    now: new Date('2026-11-20T08:00:00Z'),
    ...changes,
  };
}

/** The options of {@link testCall} with other values for vendor options. */
export function vendorOptions(values: Readonly<Record<string, unknown>>): Call['options'] {
  const { options } = testCall();
  return { ...options, vendor: { ...options.vendor, ...values } };
}
