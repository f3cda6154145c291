/**
 * What a scripted model writes: a believable text in the language of the prompt, with the usage it
 * stands for.
 */
import { isObject } from '../../core/kernel/json.ts';
import type { Random } from '../random.ts';
import { replyTexts } from './texts.ts';

export interface Generated {
  readonly text: string;
  /** The visible thinking of reasoning models; empty for others. */
  readonly thinking: string;
  readonly usage: {
    readonly input: number;
    /** Part of `input` that came from the vendor's prompt cache. */
    readonly cached: number;
    /** Thinking included. */
    readonly output: number;
    readonly thinking: number;
  };
}

/** Vendors cache prompts from this length on, in blocks of {@link cacheBlock} tokens. */
const cacheFrom = 1024;
const cacheBlock = 128;
const cjk = /[\u3400-\u9fff]/;
const everyCjk = /[\u3400-\u9fff]/g;

/** A rough count: four letters, or one and a half Chinese characters, make a token. */
export function tokensIn(text: string): number {
  const wide = text.match(everyCjk)?.length ?? 0;
  return Math.max(1, Math.ceil((text.length - wide) / 4 + wide / 1.5));
}

export function generate(random: Random, model: string, prompt: string): Generated {
  const { opening, sentences, thinking } = cjk.test(prompt) ? replyTexts.zh : replyTexts.en;
  const count = random.between(1, 12);
  const body = Array.from({ length: count }, () => random.pick(sentences));
  const text = [random.pick(opening), ...body].join(' ');
  const thought = /-pro$/.test(model) ? thinking.join(' ') : '';
  const input = tokensIn(prompt) + 8;
  const isCached = input >= cacheFrom && random.chance(0.6);
  return {
    text,
    thinking: thought,
    usage: {
      input,
      cached: isCached ? Math.floor((input * 0.85) / cacheBlock) * cacheBlock : 0,
      output: tokensIn(text) + (thought === '' ? 0 : tokensIn(thought)),
      thinking: thought === '' ? 0 : tokensIn(thought),
    },
  };
}

/** All texts in a request body, wherever its format keeps them. */
export function promptText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return body.map(promptText).join('\n');
  if (!isObject(body)) return '';
  const { model: _, role: __, type: ___, ...fields } = body;
  return Object.values(fields).map(promptText).filter(Boolean).join('\n');
}
