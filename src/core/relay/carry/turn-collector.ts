/** Collects the turn of a streamed answer, whose thinking is remembered. */
import type { AssistantPart } from '../../canonical/chat.ts';
import type { StreamPart } from '../../canonical/chat-reply.ts';
import { createStreamCollector } from '../../canonical/kit/collect-stream.ts';

/** Characters of thinking, texts and calls; of a longer turn nothing is remembered. */
const longest = 1024 * 1024;

/** Whether a part belongs to the turn that is remembered: thinking, texts and calls. */
function isOfTurn({ type }: StreamPart): boolean {
  return type.startsWith('reasoning-') || type === 'text-delta' || type === 'tool-call-delta';
}

function lengthOf(part: StreamPart): number {
  const texts = [
    'text' in part && part.text,
    'arguments' in part && part.arguments,
    'signature' in part && part.signature,
    'data' in part && part.data,
  ];
  return texts.reduce((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

export class TurnCollector {
  #collector: ReturnType<typeof createStreamCollector> | undefined = createStreamCollector();
  #length = 0;

  push(parts: readonly StreamPart[]): void {
    if (this.#collector === undefined) return;
    const kept = parts.filter(isOfTurn);
    this.#length += kept.reduce((sum, part) => sum + lengthOf(part), 0);
    if (this.#length > longest) this.#collector = undefined;
    else this.#collector.push(kept);
  }

  /** What has come, of the first answer; nothing where it was too long. Call once. */
  content(): readonly AssistantPart[] {
    return this.#collector?.reply().choices[0]?.content ?? [];
  }
}
