/** The requests that demo users send: path and body in the format that suits the model. */
import { factsOf } from '../../core/models/known-models.ts';
import type { Random } from '../random.ts';

export interface DemoCall {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const prompts = {
  en: [
    'Summarise this thread in three sentences.',
    'Why does this query take four seconds?',
    'Rewrite the paragraph in a friendlier tone.',
    'Find the mistake in this function.',
    'Draft a reply to the customer below.',
    'Which of these two designs is easier to test?',
  ],
  zh: [
    '请总结下面的内容。',
    '把这段话翻译成英文。',
    '这个函数为什么报错？',
    '帮我写一封回复邮件。',
  ],
} as const;

const context =
  'The service receives an order, checks the stock, reserves the goods and confirms the payment. ' +
  'When one of the steps fails, the earlier ones are undone in reverse order and the customer is informed. ';

/**
 * A prompt of very different lengths: most are short, some bring the context of a whole
 * conversation.
 */
function drawPrompt(random: Random, model: string): string {
  const question = random.pick(/deepseek|qwen/.test(model) ? prompts.zh : prompts.en);
  const copies = random.pickWeighted([
    [0, 3],
    [random.between(1, 6), 4],
    [random.between(10, 40), 2],
    [random.between(100, 600), model.startsWith('claude') ? 3 : 0.3],
  ]);
  return `${question}\n\n${context.repeat(copies)}`.trim();
}

export function drawCall(random: Random, model: string): DemoCall {
  if (model.startsWith('text-embedding')) {
    const input = Array.from({ length: random.between(1, 8) }, () => drawPrompt(random, model));
    return { path: '/v1/embeddings', body: { model, input } };
  }
  if (factsOf(model).kind === 'image') {
    const size = random.pick(['1024x1024', '1792x1024']);
    return {
      path: '/v1/images/generations',
      body: { model, prompt: 'A toll gate in the fog, watercolour', n: 1, size },
    };
  }
  const text = drawPrompt(random, model);
  const isStream = random.chance(0.65);
  const messages = [{ role: 'user', content: text }];
  if (model.startsWith('claude') && random.chance(0.8)) {
    return {
      path: '/v1/messages',
      body: { model, max_tokens: 1024, messages, ...(isStream ? { stream: true } : {}) },
    };
  }
  if (model.startsWith('gemini') && random.chance(0.5)) {
    const call = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return {
      path: `/v1beta/models/${model}:${call}`,
      body: { contents: [{ role: 'user', parts: [{ text }] }] },
    };
  }
  return {
    path: '/v1/chat/completions',
    body: { model, messages, ...(isStream ? { stream: true } : {}) },
  };
}

/**
 * Sends a call and reads its reply to the end. Returns the HTTP status; a stream that breaks off
 * counts like any other.
 */
export async function sendCall(
  gateway: string,
  { key, tag }: { readonly key: string; readonly tag: string },
  { path, body }: DemoCall,
): Promise<number> {
  const reply = await fetch(gateway + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-turnpike-tags': encodeURIComponent(tag),
    },
    body: JSON.stringify(body),
  });
  await reply.arrayBuffer().catch(() => undefined);
  return reply.status;
}
