import type { Call } from '../../../../src/core/canonical/provider.ts';
import { Secret } from '../../../../src/core/kernel/secret.ts';

/** A call to an upstream that is never made, with the options' defaults. */
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
      claudeDefaultMaxTokens: { default: 8192 },
      claudeModelHeaders: {},
      claudeThinkingAdapter: true,
      claudeThinkingBudgetShare: 0.8,
      geminiSafetySettings: { default: 'OFF' },
      geminiVersions: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
    },
    now: new Date('2026-11-20T08:00:00Z'),
    ...changes,
  };
}
