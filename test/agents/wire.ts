/**
 * An upstream with one wire format: it validates requests as strictly as its provider and writes
 * streamed replies.
 */
import type { ServerResponse } from 'node:http';
import type { Loose } from '../../src/core/canonical/kit/read-json.ts';
import type { ReceivedRequest } from '../support/upstream.ts';
import type { ParsedRequest, Turn } from './script.ts';

/** Of the upstream: all serve the same model. */
export const upstreamKeys = ['upstream-key', 'upstream-key-2'] as const;

export const wireNames = ['messages', 'chat', 'gemini', 'responses'] as const;
export type WireName = (typeof wireNames)[number];

export interface Wire {
  /** Type and settings of the channel, as for `turnpike channels add`. */
  readonly type: string;
  readonly setting?: object;
  /** Name of the model at the upstream. */
  readonly model: string;
  /** Whether its usage includes cache writes. */
  readonly reportsCacheWrites: boolean;
  /** Whether its thinking has a signature, which clients of the same format must send back. */
  readonly hasSignatures: boolean;
  /** Whether the path is that of a conversation request. */
  serves(path: string): boolean;
  /** `native`: the client uses the same format, so unknown fields may be valid. */
  read(request: ReceivedRequest, native: boolean): ParsedRequest;
  /** Absent: by the body's `stream`. */
  streams?(request: ReceivedRequest): boolean;
  /** The whole body of a streamed reply. */
  write(turn: Turn, request: ReceivedRequest): string;
  /** A reply in one piece. */
  writeWhole(turn: Turn, request: ReceivedRequest): Loose;
}

/** Collects faults of a request. */
export interface FaultCollector {
  readonly all: string[];
  /** Records `otherwise` unless the condition holds. */
  expect(holds: boolean, otherwise: string): void;
  /** Records fields that the provider does not know. */
  only(value: Loose, known: readonly string[], where: string): void;
}

export function complaints(): FaultCollector {
  const all: string[] = [];
  const expect = (holds: boolean, otherwise: string) => {
    if (!holds) all.push(otherwise);
  };
  return {
    all,
    expect,
    only: (value, known, where) => {
      const unknown = Object.keys(value).filter((name) => !known.includes(name));
      expect(unknown.length === 0, `${where} has unknown ${unknown.join(', ')}`);
    },
  };
}

/** Server-sent events, with event names if the format has them. */
export function events(values: readonly Loose[], named: boolean): string {
  return values
    .map((value) => `${named ? `event: ${value['type']}\n` : ''}data: ${JSON.stringify(value)}\n\n`)
    .join('');
}

/** A text in three parts, none of them empty if it has three characters. */
export function inThreeParts(text: string): readonly string[] {
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter(
    (piece) => piece !== '',
  );
}

/** Sends the body event by event, as providers do. */
export async function stream(response: ServerResponse, body: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of body.split(/(?<=\n\n)/)) {
    response.write(event);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** The arguments of a call as JSON; free text is wrapped as function tools expect it. */
export function argumentsOf(input: Loose | string): Loose {
  return typeof input === 'string' ? { input } : input;
}
