/**
 * The typed client: `client.token.list({ p: 0 })`. Used by the console, the commands and the
 * terminal screens.
 */

import type { Endpoint, InputOf, OutputOf } from './endpoint.ts';
import { openEnvelope, type RawReply } from './envelope.ts';
import type { Api } from './index.ts';
import { api } from './index.ts';

/** A call as an HTTP request. */
export interface HttpCall {
  readonly method: Endpoint['method'];
  /** Path with parameters filled in and query appended. */
  readonly path: string;
  readonly body: Record<string, unknown> | undefined;
}

/**
 * Executes one call, over HTTP or with the handlers of this process. Throws CallError if it cannot.
 */
export type Transport = (call: Endpoint, input: Record<string, unknown>) => Promise<RawReply>;

export function layOutCall(call: Endpoint, input: Record<string, unknown>): HttpCall {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = call.path.replace(/[:*](\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const hasBody = call.method === 'POST' || call.method === 'PUT';
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of rest) {
    if (hasBody && !call.query?.includes(name)) body[name] = value;
    else if (value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return {
    method: call.method,
    path: text === '' ? path : `${path}?${text}`,
    body: hasBody ? body : undefined,
  };
}

type ClientOf<A> = {
  readonly [G in keyof A]: {
    readonly [N in keyof A[G]]: A[G][N] extends Endpoint
      ? Record<string, never> extends InputOf<A[G][N]>
        ? (input?: InputOf<A[G][N]>) => Promise<OutputOf<A[G][N]>>
        : (input: InputOf<A[G][N]>) => Promise<OutputOf<A[G][N]>>
      : never;
  };
};
export type Client = ClientOf<Api>;

export function createClient(transport: Transport): Client {
  const groups = Object.entries(api).map(([group, calls]) => [
    group,
    Object.fromEntries(
      Object.entries(calls as Record<string, Endpoint>).map(([name, call]) => [
        name,
        async (input: Record<string, unknown> = {}) =>
          openEnvelope(call, await transport(call, input)).output,
      ]),
    ),
  ]);
  return Object.fromEntries(groups) as Client;
}
