import { parseEventData } from '../../canonical/kit/event-data.ts';
import { textOf } from '../../canonical/kit/read-json.ts';
import type { PassThrough, StreamEvent } from '../../canonical/pass-through.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';

/**
 * Corrects forwarded replies: each chunk of a stream that contains one of `marks`, and each whole
 * reply, goes through `change`; everything else is forwarded unchanged. `change` must not throw on
 * any input.
 */
export function rewriteReplies(
  marks: readonly string[],
  change: (body: JsonObject) => JsonObject,
): NonNullable<PassThrough<unknown>['rewrite']> {
  const write = (value: unknown) =>
    `data: ${JSON.stringify(isObject(value) ? change(value as JsonObject) : value)}\n\n`;
  const push = ({ data }: StreamEvent): string => {
    if (!marks.some((mark) => data.includes(mark)))
      return `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
    return parseEventData(data).map(write).join('');
  };
  return { framing: 'sse', create: () => ({ push }), reply: change };
}

/**
 * An error in OpenAI's form for vendors that send only a message: `{code, error: "…"}`, `{code,
 * message, data}`.
 */
function wrapError(body: JsonObject): JsonObject {
  const message = textOf(body.error) ?? textOf(body.message);
  if (message === undefined || body.choices !== undefined || isObject(body.error)) return body;
  return { error: { message, type: 'upstream_error', param: null, code: body.code ?? null } };
}

/** Callers find errors in the middle of a stream in the form they know. */
export const wrapErrors = rewriteReplies(['"code"'], wrapError);

/** A reply or chunk with each of its choices changed. */
export function changeChoices(
  body: JsonObject,
  change: (choice: JsonObject) => JsonObject,
): JsonObject {
  if (!Array.isArray(body.choices)) return body;
  const choices = (body.choices as readonly JsonValue[]).map((choice) =>
    isObject(choice) ? change(choice as JsonObject) : choice,
  );
  return { ...body, choices };
}
