/**
 * For an upstream that replied in one piece although a stream was requested: a stream with the same
 * content.
 */

import { streamOfReply } from '../../canonical/kit/collect-stream.ts';
import type { Call } from '../../canonical/provider.ts';
import type { Usage } from '../../canonical/usage.ts';
import { parseJson } from '../../kernel/json.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { CollectedReply } from '../../upstream/exchange.ts';
import type { WrittenReply } from '../formats/shared/call-reply.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';
import { replyContextOf } from './translated-reply.ts';

/** Writes the stream, with the usage that was charged. */
export type StreamOfWhole = (usage: Usage | undefined) => WrittenReply;
/** Throws ReplyFailure and AppError where the reply cannot be read. */
export type WholeAsStream = (reply: CollectedReply) => StreamOfWhole | Promise<StreamOfWhole>;

const read = ({ bytes }: CollectedReply) => parseJson(bytes.toString('utf8').trim());

/** Undefined: no stream can be written from such a reply. */
export function conversationAsStream(
  job: RelayJob,
  call: Call,
  channel: UpstreamChannel,
): WholeAsStream | undefined {
  const { format, includeUsage } = job;
  const { wholeAsStream } = format;
  if (wholeAsStream !== undefined) return (reply) => wholeAsStream(read(reply), includeUsage);
  const adapter = channel.provider.operations.chat;
  if (format.kind !== 'conversation' || adapter === undefined) return undefined;
  return (reply) => {
    const request = readChat(format, job);
    const encoder = format.createStreamEncoder({
      ...replyContextOf(job, request),
      callsInTurn: true,
    });
    const texts = streamOfReply(adapter.decode(read(reply), call, request)).map((part) =>
      encoder.push(part),
    );
    return (usage) => ({
      contentType: format.streamContentType,
      body: texts.join('') + encoder.end(usage),
    });
  };
}
