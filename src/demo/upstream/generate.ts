/**
 * What a scripted model writes: a believable text in the language of the prompt, with the usage it
 * stands for.
 */
import { isObject } from '../../core/kernel/json.ts';
import type { Random } from '../random.ts';

/** The sentences that scripted models put together. */
const replyTexts = {
  en: {
    opening: [
      'Here is a short summary.',
      'Good question.',
      'There are three things to look at.',
      'The short answer is yes, with one condition.',
      'I looked at the part you quoted.',
    ],
    sentences: [
      'The function reads the whole file into memory, which is fine for a few megabytes and slow for more.',
      'A queue between the two services would let each of them restart without losing work.',
      'Add an index on the column that the filter uses, then compare the query plans before and after.',
      'Most of the cost comes from the long system prompt, so caching it will pay off quickly.',
      'Write a test that fails first; it will show whether the fix reaches the cause.',
      'Customers in the second group renew later, but they also ask for fewer refunds.',
      'If the upstream replies with status 429, wait for as long as `Retry-After` says.',
      'The report covers March to May and leaves out returned orders.',
      'You can shorten the paragraph to two sentences without losing the argument.',
      'The translation keeps the formal tone of the original.',
      'Rename the variable to say what it holds, and the comment above it is no longer needed.',
      'Both options work; the second one is easier to undo.',
    ],
    thinking: [
      'The user wants a practical answer.',
      'First I compare the two options, then I check the edge cases.',
      'The second one has fewer moving parts, so I recommend it.',
    ],
  },
  zh: {
    opening: [
      '简单总结如下。',
      '这个问题可以分三步看。',
      '可以，但有一个前提。',
      '我看了你贴出的部分。',
    ],
    sentences: [
      '这个函数会把整个文件读入内存，文件较大时会比较慢。',
      '建议先在过滤用到的列上加索引，再对比前后的查询计划。',
      '大部分费用来自很长的系统提示词，启用缓存后会明显下降。',
      '先写一个会失败的测试，再修改代码，这样能确认问题已经解决。',
      '第二组客户续费较晚，但退款也更少。',
      '如果上游返回 429，请按照 Retry-After 的时间等待后再试。',
      '这份报告覆盖三月到五月，不包含退货订单。',
      '译文保留了原文的正式语气。',
      '两种方案都可行，第二种更容易回退。',
    ],
    thinking: [
      '用户需要一个可执行的答案。',
      '先比较两种方案，再检查边界情况。',
      '第二种更简单，所以推荐它。',
    ],
  },
} as const;

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
