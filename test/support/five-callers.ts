/** One question in the five formats of chat callers. */
export const callers = ['chat', 'messages', 'Gemini', 'Responses', 'Cohere'] as const;
export type Caller = (typeof callers)[number];

/** Every caller, whole and streamed. */
export const callersBothWays: readonly (readonly [Caller, boolean])[] = callers.flatMap((caller) =>
  [false, true].map((stream) => [caller, stream] as const),
);

export interface Asked {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** `more`: further top-level fields in the caller's own words. */
export function question(
  caller: Caller,
  model: string,
  stream: boolean,
  more: Readonly<Record<string, unknown>> = {},
): Asked {
  const messages = [{ role: 'user', content: 'Hi' }];
  const streamed = stream ? { stream } : {};
  switch (caller) {
    case 'chat':
      return { path: '/v1/chat/completions', body: { model, messages, ...streamed, ...more } };
    case 'messages':
      return {
        path: '/v1/messages',
        body: { model, messages, max_tokens: 1000, ...streamed, ...more },
      };
    case 'Responses':
      return { path: '/v1/responses', body: { model, input: 'Hi', ...streamed, ...more } };
    case 'Cohere':
      return { path: '/v2/chat', body: { model, messages, ...streamed, ...more } };
    case 'Gemini': {
      const call = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      return {
        path: `/v1beta/models/${model}:${call}`,
        body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], ...more },
      };
    }
  }
}
