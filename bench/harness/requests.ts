/** What a scenario sends. The names are also those of the reports. */
export interface BenchRequest {
  readonly title: string;
  readonly path: string;
  readonly body: object;
  /** A successful reply ends with one of these; empty: status 200 is enough. */
  readonly endings: readonly string[];
}

const ask = (content: unknown) => [{ role: 'user', content }];
const question = 'Say a few words about toll roads.';
const chat = { model: 'gpt-4o-mini', messages: ask(question), max_tokens: 200 };
const chatPath = '/v1/chat/completions';
const filler = (repeats: number) => ({
  ...chat,
  messages: ask('lorem ipsum dolor '.repeat(repeats)),
});

/** A megabyte that begins as a PNG of 1,024 × 1,024 pixels does. */
function pictureUrl(): string {
  const bytes = Buffer.alloc(750_000, 'pixels of an image');
  bytes.write('89504e470d0a1a0a0000000d494844520000040000000400', 'hex');
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/**
 * The bare relay forwards an upstream's events as they are: they end as those of an OpenAI chat.
 */
const chatEnd = '[DONE]';

export const requests = {
  chat: { title: 'small chat', path: chatPath, body: chat, endings: [] },
  stream: {
    title: '100-event stream',
    path: chatPath,
    body: { ...chat, stream: true },
    endings: [chatEnd],
  },
  slowStream: {
    title: 'streams of 2 s',
    path: chatPath,
    body: { ...chat, stream: true, user: 'slow' },
    endings: [chatEnd],
  },
  converted: {
    title: 'converted stream',
    path: '/v1/messages',
    body: { model: 'gpt-4o-mini', max_tokens: 200, stream: true, messages: ask(question) },
    endings: ['message_stop', chatEnd],
  },
  large: { title: '100 KB prompt', path: chatPath, body: filler(5690), endings: [] },
  agent: {
    title: '2,000-event stream',
    path: chatPath,
    body: { ...chat, stream: true, user: 'agent' },
    endings: [chatEnd],
  },
  timed: {
    title: '100-event stream, 10 ms apart',
    path: chatPath,
    body: { ...chat, stream: true, user: 'timed' },
    endings: [chatEnd],
  },
  image: {
    title: '1 MB with an image',
    path: chatPath,
    body: {
      ...chat,
      messages: ask([
        { type: 'text', text: question },
        { type: 'image_url', image_url: { url: pictureUrl() } },
      ]),
    },
    endings: [],
  },
  huge: { title: '1 MB body', path: chatPath, body: filler(58_250), endings: [] },
} satisfies Readonly<Record<string, BenchRequest>>;

export type RequestName = keyof typeof requests;
