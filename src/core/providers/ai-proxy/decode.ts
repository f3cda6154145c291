/**
 * Replies of a library, whole and streamed (docs/rules/providers.md#ai-proxy). They report no
 * usage.
 */
import type { ChatReply, StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { recordOf, recordsOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import { AppError } from '../../kernel/errors.ts';
import { libraryError } from './failure.ts';

/** A source document of a reply. */
interface LibraryDocument {
  readonly title: string;
  readonly url: string;
}

function readDocuments(list: unknown): readonly LibraryDocument[] {
  return recordsOf(list).flatMap(({ title, url }) => {
    const address = textOf(url) ?? '';
    const name = textOf(title) ?? address;
    return name === '' ? [] : [{ title: name, url: address }];
  });
}

/**
 * The list of sources below a reply: a heading in the reply's language and the numbered documents.
 * Empty without documents.
 */
function writeDocuments(documents: readonly LibraryDocument[], answer: string): string {
  if (documents.length === 0) return '';
  const heading = /\p{Script=Han}/u.test(answer) ? '参考文档：' : 'Reference documents:';
  return `\n\n${[heading, ...documents.map(({ title, url }, at) => `${at + 1}. [${title}](${url})`)].join('\n')}`;
}

/** Throws ReplyFailure for `errCode`, AppError('bad_response_body') without an answer. */
export function readLibraryReply(body: unknown): ChatReply {
  const error = libraryError(body);
  if (error !== undefined) throw new ReplyFailure(error);
  const { answer, documents } = replyObject(body);
  if (typeof answer !== 'string')
    throw new AppError('bad_response_body', { detail: 'no answer in it' });
  const text = answer + writeDocuments(readDocuments(documents), answer);
  return {
    choices: [{ index: 0, content: [{ type: 'text', text }], finish: 'stop', rawFinish: null }],
  };
}

/** Each event carries a chunk of the text; the documents named last are listed below it. */
export class LibraryStreamDecoder implements StreamDecoder {
  #documents: readonly LibraryDocument[] = [];
  #answer = '';
  #finished = false;
  #failed = false;

  get ended(): number {
    return this.#finished ? 1 : 0;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    for (const value of parseEventData(event.data)) if (!this.#failed) this.#read(value, parts);
    return parts;
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    if (this.#answer === '')
      return [{ type: 'error', error: { status: 502, code: 'empty_response' } }];
    const list = writeDocuments(this.#documents, this.#answer);
    const below: StreamPart[] = list === '' ? [] : [{ type: 'text-delta', text: list }];
    return this.#finished ? [...below, { type: 'finish', reason: 'stop', raw: null }] : below;
  }

  #read(value: unknown, parts: StreamPart[]): void {
    const error = libraryError(value);
    if (error !== undefined) {
      this.#failed = true;
      parts.push({ type: 'error', error });
      return;
    }
    const event = recordOf(value);
    this.#finished ||= event?.finish === true;
    const text = textOf(event?.content);
    if (text !== undefined) {
      this.#answer += text;
      parts.push({ type: 'text-delta', text });
    }
    const documents = readDocuments(event?.documents);
    if (documents.length > 0) this.#documents = documents;
  }
}
