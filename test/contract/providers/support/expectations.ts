/** Checks that many cases share. */
import { expect } from 'vitest';
import type { ClientReply } from './case.ts';

/** The upstream received exactly one request. */
export function expectOneRequest(requests: readonly unknown[]): void {
  expect(requests).toHaveLength(1);
}

/**
 * The account behind the channel is at its end, which its callers cannot mend: they get an error of
 * ours, whatever the vendor wrote (docs/rules/relay.md#upstream-credentials).
 */
export function expectAccountsFault({ status, text }: ClientReply): void {
  expect(status).toBe(502);
  expect(text).toContain("The upstream rejected the channel's account");
}

/** The caller's reply has status 200. */
export function expectOk({ status }: { readonly status: number }): void {
  expect(status).toBe(200);
}
