/** One wire format as an upstream speaks it: reads requests as strictly as its provider, writes streamed answers. */
import type { ServerResponse } from 'node:http';
import type { Loose } from '../../src/core/canonical/kit/read-json.ts';
import type { ReceivedRequest } from '../support/upstream.ts';
import type { Asked, Turn } from './script.ts';

export const wireNames = ['messages', 'chat', 'gemini', 'responses'] as const;
export type WireName = (typeof wireNames)[number];

export interface Wire {
  /** Type and settings of the channel, as `turnpike channels add` takes them. */
  readonly type: string;
  readonly setting?: object;
  /** What the upstream calls its model. */
  readonly model: string;
  /** Whether its usage tells of cache writes. */
  readonly writes: boolean;
  /** Whether its thinking carries a proof, which has to come back from a client that speaks this wire itself. */
  readonly proves: boolean;
  /** Whether the request is a conversation's, by its path. */
  serves(path: string): boolean;
  /** `native`: the client speaks this wire itself, so that what we do not know may still be right. */
  read(request: ReceivedRequest, native: boolean): Asked;
  /** The whole body of the reply. */
  write(turn: Turn, request: ReceivedRequest): string;
}

/** Complaints as they come up. */
export interface Complaints {
  readonly all: string[];
  /** Says so unless it holds. */
  expect(holds: boolean, otherwise: string): void;
  /** Members that the provider does not know are refused. */
  only(value: Loose, known: readonly string[], where: string): void;
}

export function complaints(): Complaints {
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

/** Server-sent events, with their names where the wire has some. */
export function events(values: readonly Loose[], named: boolean): string {
  return values.map((value) => `${named ? `event: ${value['type']}\n` : ''}data: ${JSON.stringify(value)}\n\n`).join('');
}

/** A text in three pieces, none of them empty where it has three characters. */
export function pieces(text: string): readonly string[] {
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter((piece) => piece !== '');
}

/** Sends it event by event, as providers do. */
export async function stream(response: ServerResponse, body: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of body.split(/(?<=\n\n)/)) {
    response.write(event);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** The arguments of a call as JSON; free text becomes what function tools take instead. */
export function argumentsOf(input: Loose | string): Loose {
  return typeof input === 'string' ? { input } : input;
}
