/** One request to the scripted upstream on its way to a reply, and what all reply writers share. */
import type { ServerResponse } from 'node:http';
import type { Random } from '../random.ts';
import type { Behaviour } from './behaviours.ts';

/** How the upstream spends time: live it waits; while generating history it advances a clock. */
export interface Pace {
  wait(ms: number): Promise<void>;
  /** Words that one event of a stream carries. */
  readonly wordsPerEvent: number;
}

export const livePace: Pace = {
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  wordsPerEvent: 1,
};

export interface Exchange {
  readonly response: ServerResponse;
  /** Path without the behaviour in front and without the query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly behaviour: Behaviour;
  readonly pace: Pace;
  readonly random: Random;
  /** Unix seconds. */
  readonly now: number;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Waits as long as the behaviour takes until its first byte. */
export function waitForFirstByte({ behaviour, pace, random }: Exchange): Promise<void> {
  return pace.wait(random.between(...behaviour.firstByteMs));
}

/** The time that a text of so many words takes to generate. */
export function waitForWords({ behaviour, pace }: Exchange, words: number): Promise<void> {
  return pace.wait(words * behaviour.msPerWord);
}

/** A text in the pieces that the events of a stream carry; joined they are the text again. */
export function piecesOf({ pace }: Exchange, text: string): string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const pieces: string[] = [];
  for (let start = 0; start < words.length; start += pace.wordsPerEvent) {
    pieces.push(words.slice(start, start + pace.wordsPerEvent).join(''));
  }
  return pieces;
}

/** Begins a stream of server-sent events. The writer does nothing once the client is gone. */
export function beginEvents({ response }: Exchange): (data: unknown, event?: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (data, event) => {
    if (response.destroyed) return;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
  };
}

/**
 * Writes the pieces of a text one after the other, each after the time it takes; stops when the
 * client is gone.
 */
export async function streamPieces(
  exchange: Exchange,
  text: string,
  write: (piece: string) => void,
): Promise<void> {
  for (const piece of piecesOf(exchange, text)) {
    if (exchange.response.destroyed) return;
    write(piece);
    await waitForWords(exchange, exchange.pace.wordsPerEvent);
  }
}

/** A random identifier as vendors make them. */
export function makeId(random: Random, prefix: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return (
    prefix +
    Array.from({ length: 24 }, () => letters[random.between(0, letters.length - 1)]).join('')
  );
}
