/** Answers as upstreams write them, in the two wire formats of the suite. */
import type { Wire } from './orders.ts';

/** Figures that an upstream reports; what is no number may be anything. */
export interface ReportedUsage {
  readonly prompt: unknown;
  readonly completion: unknown;
}

export interface WireAnswer {
  readonly words: readonly string[];
  /** Undefined: none is reported. */
  readonly usage: ReportedUsage | undefined;
}

export interface WireFormat {
  /** A whole reply. */
  whole(answer: WireAnswer): object;
  /** The events of a stream: those before the end, and those of the end. */
  stream(answer: WireAnswer): {
    readonly before: readonly string[];
    readonly end: readonly string[];
  };
  error(message: string): object;
}

const openAiUsage = ({ prompt, completion }: ReportedUsage) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: Number(prompt) + Number(completion),
});

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const named = (type: string, fields: object = {}) => `event: ${type}\n${data({ type, ...fields })}`;

const chat: WireFormat = {
  whole: ({ words, usage }) => ({
    id: 'chatcmpl-f',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'upstream',
    choices: [
      { index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' },
    ],
    ...(usage && { usage: openAiUsage(usage) }),
  }),
  stream: ({ words, usage }) => {
    const chunk = (fields: object) =>
      data({
        id: 'chatcmpl-f',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'upstream',
        ...fields,
      });
    const delta = (part: object, finish: string | null = null) =>
      chunk({ choices: [{ index: 0, delta: part, finish_reason: finish }] });
    return {
      before: [
        delta({ role: 'assistant', content: '' }),
        ...words.map((content) => delta({ content })),
      ],
      end: [
        delta({}, 'stop'),
        ...(usage ? [chunk({ choices: [], usage: openAiUsage(usage) })] : []),
        'data: [DONE]\n\n',
      ],
    };
  },
  error: (message) => ({ error: { message, type: 'server_error', code: 'upstream_trouble' } }),
};

const messages: WireFormat = {
  whole: ({ words, usage }) => ({
    id: 'msg_f',
    type: 'message',
    role: 'assistant',
    model: 'upstream',
    content: [{ type: 'text', text: words.join('') }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage:
      usage === undefined ? {} : { input_tokens: usage.prompt, output_tokens: usage.completion },
  }),
  stream: ({ words, usage }) => {
    const message = {
      id: 'msg_f',
      type: 'message',
      role: 'assistant',
      model: 'upstream',
      content: [],
      stop_reason: null,
    };
    const started = usage === undefined ? {} : { input_tokens: usage.prompt, output_tokens: 1 };
    const ended = usage === undefined ? {} : { usage: { output_tokens: usage.completion } };
    return {
      before: [
        named('message_start', { message: { ...message, usage: started } }),
        named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        ...words.map((text) =>
          named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
        ),
      ],
      end: [
        named('content_block_stop', { index: 0 }),
        named('message_delta', {
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          ...ended,
        }),
        named('message_stop'),
      ],
    };
  },
  error: (message) => ({ type: 'error', error: { type: 'api_error', message } }),
};

export const wireFormats: Readonly<Record<Wire, WireFormat>> = { chat, messages };
