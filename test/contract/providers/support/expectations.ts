/** Checks that many cases share. */
import { expect } from 'vitest';

/** The upstream received exactly one request. */
export function expectOneRequest(requests: readonly unknown[]): void {
  expect(requests).toHaveLength(1);
}

/** The caller's reply has status 200. */
export function expectOk({ status }: { readonly status: number }): void {
  expect(status).toBe(200);
}
