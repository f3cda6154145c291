/** For an upstream that answered in one piece although a stream was asked: the stream that says the same (spec, relay 14). */
import { parseJson } from '../kernel/json.ts';
import { streamOfReply } from '../providers/kit/collect-stream.ts';
import type { Call } from '../providers/provider.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { CollectedReply } from '../upstream/send.ts';
import type { RelayJob } from './job.ts';
import { readChat } from './read-chat.ts';
import type { WrittenReply } from './wire-formats/call-format.ts';
import { chatWireFormat } from './wire-formats/index.ts';
import { eventStream } from './wire-formats/wire-format.ts';

/** Throws ReplyFailure and AppError where the reply cannot be read. */
export type WholeAsStream = (reply: CollectedReply) => WrittenReply | Promise<WrittenReply>;

/** Formats whose stream is made of whole replies, and how it ends. */
const endsByFormat: Readonly<Partial<Record<RelayJob['format'], string>>> = {
  'openai-completions': 'data: [DONE]\n\n',
  'gemini-generate': '',
};

/** Undefined: none can be made. */
export function chatAsStream(job: RelayJob, call: Call, channel: UpstreamChannel): WholeAsStream | undefined {
  const format = chatWireFormat(job.format);
  const adapter = channel.provider.operations.chat;
  if (format === undefined) return undefined;
  const end = endsByFormat[job.format];
  const read = ({ bytes }: CollectedReply) => parseJson(bytes.toString('utf8').trim());
  if (end !== undefined) return (reply) => ({ contentType: eventStream, body: `data: ${JSON.stringify(read(reply))}\n\n${end}` });
  if (adapter === undefined) return undefined;
  return (reply) => {
    const request = readChat(job);
    const { parts, model, includeUsage, startedAt, promptTokens } = job;
    const encoder = format.createStreamEncoder({
      id: parts.ids.alphanumeric(24),
      model,
      created: Math.floor(startedAt / 1000),
      includeUsage,
      estimatedPromptTokens: promptTokens,
      request,
    });
    const pieces = streamOfReply(adapter.decode(read(reply), call, request)).map((part) => encoder.push(part));
    return { contentType: format.streamContentType, body: pieces.join('') + encoder.end() };
  };
}
