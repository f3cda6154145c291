import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import { createFrameReader } from '../../../../src/core/canonical/kit/frames.ts';
import { mergeUsage } from '../../../../src/core/canonical/kit/usage.ts';
import type { Framing, StreamDecoder } from '../../../../src/core/canonical/pass-through.ts';
import type { Usage } from '../../../../src/core/canonical/usage.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');

export function fixtureBytes(slug: string, name: string): Buffer {
  return readFileSync(join(fixtures, slug, name));
}

export function fixtureJson(slug: string, name: string): unknown {
  return JSON.parse(fixtureBytes(slug, name).toString('utf8'));
}

/** All parts that a decoder returns for a stream received in these chunks. */
export function decodeChunks(
  chunks: readonly Uint8Array[],
  framing: Framing,
  decoder: StreamDecoder,
): StreamPart[] {
  const reader = createFrameReader(framing);
  const parts: StreamPart[] = [];
  for (const chunk of chunks)
    for (const event of reader.push(chunk)) parts.push(...decoder.push(event));
  for (const event of reader.end()) parts.push(...decoder.push(event));
  parts.push(...decoder.end());
  return parts;
}

export interface Collected {
  readonly id: string | undefined;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
  }[];
  readonly usage: Usage | undefined;
  readonly finishes: readonly string[];
  readonly errors: readonly {
    readonly status: number;
    readonly code?: string;
    readonly message?: string;
  }[];
}

/** Collects the parts of one choice. Throws when a tool call's first delta lacks id or name. */
export function collect(parts: readonly StreamPart[], choice = 0): Collected {
  let id: string | undefined;
  let text = '';
  let reasoning = '';
  let usage: Usage | undefined;
  const calls: { id: string; name: string; arguments: string }[] = [];
  const finishes: string[] = [];
  const errors: Collected['errors'][number][] = [];
  for (const part of parts) {
    if (part.type === 'start') id = part.id;
    else if (part.type === 'usage') usage = mergeUsage(usage, part.usage);
    else if (part.type === 'error')
      errors.push({
        status: part.error.status,
        code: part.error.code,
        message: part.error.message,
      });
    else if ((part.choice ?? 0) !== choice) continue;
    else if (part.type === 'text-delta') text += part.text;
    else if (part.type === 'reasoning-delta') reasoning += part.text;
    else if (part.type === 'finish') finishes.push(part.reason);
    else if (part.type === 'tool-call-delta') {
      const known = calls[part.index];
      if (known !== undefined) known.arguments += part.arguments;
      else if (part.id === undefined || part.name === undefined || part.index !== calls.length)
        throw new Error('a call opened badly');
      else calls.push({ id: part.id, name: part.name, arguments: part.arguments });
    }
  }
  return { id, text, reasoning, calls, usage, finishes, errors };
}
