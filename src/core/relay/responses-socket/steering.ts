/**
 * `response.steer` on a connection (docs/rules/realtime.md#responses-steering): input for a response
 * that is being generated waits for its end, and then asks for another one, which is a request like
 * any other.
 */
import { recordsOf } from '../../canonical/kit/read-json.ts';
import { isObject, type JsonObject, type JsonValue, parseObject } from '../../kernel/json.ts';
import { type Body, readCallerBody } from '../body/body-fields.ts';
import { inputItems } from '../formats/openai-responses/state.ts';
import type { SharedMemory } from './response-memory.ts';

/** Inputs that may wait on a connection. */
const mostInputs = 16;
/** Ended responses of which it is known that they have ended. */
const mostEnded = 8;

const createdMark = '"response.created"';

interface SteeringInput {
  readonly id: string;
  /** As the client sent it. */
  readonly input: JsonValue;
  readonly items: readonly JsonValue[];
  readonly size: number;
}

const problems = {
  invalid_input: 'input must be a text or messages of the user with texts, images and files.',
  response_not_found: 'No response of this connection has this id.',
  response_already_completed: 'The response has ended: send the input with response.create.',
  steering_not_supported: 'Responses of a conversation cannot be steered.',
  too_many_pending_steers: 'Too much input is waiting.',
  successor_creation_failed: 'The response that should follow could not be created.',
} as const;

/** A request for a response, until it has ended. */
export class SteeredResponse {
  readonly body: Body;
  /** Inputs that begin with this response; none is left once it has begun. */
  begins: readonly SteeringInput[];
  /** Inputs that wait for its end. */
  readonly waiting: SteeringInput[] = [];
  id: string | undefined;
  /** The response at its end. */
  ended: JsonObject | undefined;

  constructor(body: Body, begins: readonly SteeringInput[]) {
    this.body = body;
    this.begins = begins;
  }
}

const userParts: ReadonlySet<unknown> = new Set(['input_text', 'input_image', 'input_file']);

function isUserMessage(item: unknown): boolean {
  if (!isObject(item) || item['role'] !== 'user' || (item['type'] ?? 'message') !== 'message')
    return false;
  const { content } = item;
  if (typeof content === 'string') return content !== '';
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((part) => isObject(part) && userParts.has(part['type']))
  );
}

/** What the client still has to give before the response can be continued. */
function requiredInput(response: JsonObject): readonly JsonObject[] {
  const output = recordsOf(response['output']) as readonly JsonObject[];
  const answered = new Set(
    output.filter(({ type }) => String(type).endsWith('_output')).map((item) => item['call_id']),
  );
  return output.flatMap((item): JsonObject[] => {
    const { type, call_id, id, name, execution } = item;
    if (type === 'mcp_approval_request')
      return [{ type: 'mcp_approval_response', approval_request_id: id ?? '' }];
    if (!String(type).endsWith('_call') || typeof call_id !== 'string' || answered.has(call_id))
      return [];
    if (type === 'tool_search_call')
      return execution === 'client' ? [{ type: 'tool_search_output', call_id, execution }] : [];
    const named: JsonObject = type === 'function_call' ? { name: name ?? '' } : {};
    return [{ type: `${String(type)}_output`, call_id, ...named }];
  });
}

export class Steering {
  readonly #memory: SharedMemory;
  readonly #newId: () => string;
  readonly #active = new Set<SteeredResponse>();
  /** Inputs that wait for the results of calls, by the response with the calls. */
  readonly #kept = new Map<string, readonly SteeringInput[]>();
  readonly #ended = new Set<string>();
  #inputs = 0;

  constructor(memory: SharedMemory, newId: () => string) {
    this.#memory = memory;
    this.#newId = newId;
  }

  /** A request is served. What waited for the results that it brings goes first in its input. */
  begin(body: Body, begins?: readonly SteeringInput[]): SteeredResponse {
    const previous = body.get('previous_response_id');
    const kept = typeof previous === 'string' ? this.#kept.get(previous) : undefined;
    if (kept !== undefined) this.#kept.delete(previous as string);
    const given = begins ?? kept ?? [];
    const items = given.flatMap((one) => one.items);
    const written =
      items.length === 0
        ? body
        : readCallerBody(
            body.write({ input: [...items, ...(begins ? [] : inputItems(body.get('input')))] })
              .bytes,
          );
    const response = new SteeredResponse(written, given);
    this.#active.add(response);
    return response;
  }

  /** Looks at frames only until the response has an id. */
  see(response: SteeredResponse, frame: string): void {
    if (response.id !== undefined || !frame.includes(createdMark)) return;
    const created = parseObject(frame)?.['response'];
    if (isObject(created)) this.#named(response, created as JsonObject);
  }

  /** It ended well. */
  complete(response: SteeredResponse, whole: JsonObject): void {
    this.#named(response, whole);
    response.ended = whole;
  }

  #named(response: SteeredResponse, { id }: JsonObject): void {
    if (response.id !== undefined || typeof id !== 'string') return;
    response.id = id;
    this.#give(response.begins);
    response.begins = [];
  }

  #give(inputs: readonly SteeringInput[]): void {
    this.#inputs -= inputs.length;
    for (const { size } of inputs) this.#memory.giveBody(size);
  }

  /** The answer to a frame of steering, and the response that it is about. */
  steer(frame: JsonObject, size: number): { answer: JsonObject; response?: SteeredResponse } {
    const { previous_response_id: id, input = null } = frame;
    const response = [...this.#active].find((one) => one.id !== undefined && one.id === id);
    const refuse = (code: keyof typeof problems) => ({
      answer: failed(code, { previous_response_id: id ?? null, input }),
      ...(response && { response }),
    });
    if (response === undefined)
      return refuse(
        this.#ended.has(String(id)) ? 'response_already_completed' : 'response_not_found',
      );
    const items = inputItems(input);
    if (items.length === 0 || input === '' || !items.every(isUserMessage))
      return refuse('invalid_input');
    if (response.body.has('conversation')) return refuse('steering_not_supported');
    if (this.#inputs >= mostInputs || !this.#memory.tryTakeBody(size))
      return refuse('too_many_pending_steers');
    this.#inputs += 1;
    const given = { id: this.#newId(), input, items, size };
    response.waiting.push(given);
    return { answer: event('accepted', steerOf(given, response)), response };
  }

  /**
   * The request was served. What follows it, and what is sent to the client: a response that could not
   * be created gives its input back, one that called tools keeps it for their results.
   */
  end(response: SteeredResponse): {
    readonly frames: readonly JsonObject[];
    readonly next?: SteeredResponse;
  } {
    this.#active.delete(response);
    const { id, ended, waiting, begins } = response;
    if (id !== undefined) this.#remember(id);
    const lost = id === undefined || ended === undefined ? [...begins, ...waiting] : [];
    this.#give(lost);
    const previous = response.body.get('previous_response_id');
    const frames = lost.map((one) =>
      failed('successor_creation_failed', {
        id: one.id,
        previous_response_id: begins.includes(one) ? (previous ?? null) : (id ?? null),
        input: one.input,
      }),
    );
    if (id === undefined || ended === undefined || waiting.length === 0) return { frames };
    const required = requiredInput(ended);
    if (required.length === 0) {
      const body = readCallerBody(response.body.write({ previous_response_id: id }).bytes);
      return { frames, next: this.begin(body, waiting) };
    }
    this.#kept.set(id, waiting);
    const fields = { reason: 'waiting_for_required_input', required_input: required };
    return {
      frames: waiting.map((one) => ({ ...event('pending', steerOf(one, response)), ...fields })),
    };
  }

  #remember(id: string): void {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > mostEnded && oldest !== undefined) this.#ended.delete(oldest);
  }
}

function event(name: 'accepted' | 'pending' | 'failed', steer: JsonObject): JsonObject {
  return { type: `response.steer.${name}`, sequence_number: 0, steer };
}

function steerOf({ id }: SteeringInput, response: SteeredResponse): JsonObject {
  return { id, previous_response_id: response.id ?? null };
}

function failed(code: keyof typeof problems, steer: JsonObject): JsonObject {
  const error = { type: 'invalid_request_error', code, message: problems[code] };
  return { ...event('failed', steer), error };
}
