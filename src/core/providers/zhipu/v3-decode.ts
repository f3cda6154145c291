/** Replies and streams of v3 (docs/rules/providers.md#zhipu-v3). */

import type { ChatReply, ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  countOf,
  type Loose,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseObject } from '../../kernel/json.ts';
import { zhipuError } from './failure.ts';

/** The error of a body with `success: false`; undefined where there is none. */
function errorIn(root: Loose): ProviderError | undefined {
  if (root.success !== false) return undefined;
  const own = zhipuError(root.code, root.msg);
  // A code of no known meaning is a fault of the request (docs/rules/providers.md#zhipu-failures).
  return own === undefined || own.status === 502
    ? { type: 'zhipu_error', message: textOf(root.msg), ...own, status: 400 }
    : own;
}

/** Quotation marks of Zhipu's around the text. */
function unquote(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '"') start += 1;
  while (end > start && text[end - 1] === '"') end -= 1;
  return text.slice(start, end);
}

export function readV3Reply(body: unknown): ChatReply {
  const root = replyObject(body);
  const error = errorIn(root);
  if (error !== undefined) throw new ReplyFailure(error);
  const data = recordOf(root.data);
  const choices = recordsOf(data?.choices);
  if (choices.length === 0)
    throw new AppError('bad_response_body', { detail: 'the reply has no choices' });
  return {
    id: textOf(data?.task_id),
    choices: choices.map(({ content }, index) => ({
      index,
      content:
        typeof content === 'string' && content !== ''
          ? [{ type: 'text', text: unquote(content) }]
          : [],
      finish: 'stop',
      rawFinish: null,
    })),
    usage: usageFromOpenAi(data?.usage),
  };
}

/**
 * Events `add`, `finish`, `interrupted` and `error` with plain text as data; a field `meta` holds
 * the usage.
 */
export class V3StreamDecoder implements StreamDecoder {
  #started = false;
  #finish: 'stop' | 'content-filter' | undefined;
  #raw: string | null = null;
  #produced = false;
  #failed = false;

  get ended(): number {
    return this.#finish === undefined ? 0 : 1;
  }

  push({ event, data }: StreamEvent): readonly StreamPart[] {
    if (this.#failed) return [];
    if (event === 'meta') return this.#readMeta(parseObject(data) ?? {});
    if (event === 'error') return this.#fail(this.#readError(data));
    if (event === '') {
      const error = errorIn(parseObject(data) ?? {});
      return error === undefined ? [] : this.#fail(error);
    }
    return this.#readText(event, data);
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    if (!this.#produced && this.#finish === undefined)
      return [{ type: 'error', error: { status: 502, code: 'empty_response' } }];
    return this.#finish === undefined
      ? []
      : [{ type: 'finish', reason: this.#finish, raw: this.#raw }];
  }

  #start(id?: string): StreamPart[] {
    if (this.#started) return [];
    this.#started = true;
    return [{ type: 'start', id }];
  }

  #readText(event: string, data: string): readonly StreamPart[] {
    if (event === 'finish' || event === 'interrupted') {
      this.#raw = event;
      this.#finish = event === 'finish' ? 'stop' : 'content-filter';
    }
    if (data === '') return [];
    this.#produced = true;
    return [...this.#start(), { type: 'text-delta', text: data }];
  }

  /** Part of the last event, whose type may come before or after it. */
  #readMeta(meta: Loose): readonly StreamPart[] {
    this.#finish ??= 'stop';
    const usage = usageFromOpenAi(meta.usage);
    const parts = this.#start(textOf(meta.task_id));
    return usage === undefined ? parts : [...parts, { type: 'usage', usage }];
  }

  #readError(data: string): ProviderError {
    const root = parseObject(data);
    const message = textOf(root?.msg) ?? textOf(root?.message) ?? (data === '' ? undefined : data);
    const known = zhipuError(countOf(root?.code), message);
    return known ?? { status: 502, type: 'zhipu_error', message };
  }

  #fail(error: ProviderError): readonly StreamPart[] {
    this.#failed = true;
    return [{ type: 'error', error }];
  }
}
