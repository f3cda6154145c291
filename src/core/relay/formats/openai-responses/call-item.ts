/** Calls as output items of a stream, in the form that their tool has in the request. */
import type { ToolSource } from '../../../canonical/chat.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { freeformInput } from '../../../canonical/wires/openai-responses/tools.ts';
import { type JsonObject, parseObject } from '../../../kernel/json.ts';
import { clientToolForm } from './client-tools.ts';
import type { ItemEvent, ItemStatus, OutputItem } from './output.ts';

/** `given`: the call's arguments, JSON text as far as it was received. */
interface CallForm {
  readonly type: string;
  readonly prefix: string;
  /** Its calls have the name of their tool, and its namespace. */
  readonly isNamed: boolean;
  /** Its arguments are sent as they come. */
  readonly streams?: true;
  readonly isLate?: true;
  readonly status?: (status: ItemStatus) => ItemStatus;
  readonly announced: (given: string) => JsonObject;
  readonly whole: (given: string) => JsonObject;
  readonly events: (given: string) => readonly ItemEvent[];
}

const functionCall: CallForm = {
  type: 'function_call',
  prefix: 'fc',
  isNamed: true,
  streams: true,
  announced: () => ({ arguments: '' }),
  whole: (given) => ({ arguments: given }),
  events: (given) => [['response.function_call_arguments.done', { arguments: given }]],
};

const freeformCall: CallForm = {
  type: 'custom_tool_call',
  prefix: 'ctc',
  isNamed: true,
  announced: () => ({ input: '' }),
  whole: (given) => ({ input: freeformInput(given) }),
  // Free text can only be unwrapped from its JSON once that is complete.
  events: (given) => {
    const input = freeformInput(given);
    const done: ItemEvent = ['response.custom_tool_call_input.done', { input }];
    return input === ''
      ? [done]
      : [['response.custom_tool_call_input.delta', { delta: input }], done];
  },
};

/** A call of a tool that the client carries out: its members are known when its JSON is complete. */
function clientCall(tool: NonNullable<ToolSource['client']>): CallForm {
  const { prefix, item, announced = (whole) => whole, events } = clientToolForm(tool);
  const whole = (given: string) => item((parseObject(given) ?? {}) as JsonObject);
  return {
    type: `${tool}_call`,
    prefix,
    isNamed: false,
    isLate: true,
    // What was cut off is not carried out; patches know no other word for that.
    ...(tool === 'apply_patch' && {
      status: (status) => (status === 'incomplete' ? 'in_progress' : status),
    }),
    announced: (given) => announced(whole(given)),
    whole,
    events: (given) => events?.(whole(given)) ?? [],
  };
}

function formOf(source: ToolSource | undefined): CallForm {
  if (source?.client !== undefined) return clientCall(source.client);
  return source?.freeform === true ? freeformCall : functionCall;
}

/**
 * A call, under the name its tool has in the request: plain, in a namespace, of a tool that takes
 * free text, or of one that OpenAI defines.
 */
export class CallItem implements OutputItem {
  readonly id: string;
  readonly isLate: boolean;
  /** The deltas of its arguments are sent on. */
  readonly streams: boolean;
  /** JSON text, as far as it was received. */
  arguments = '';
  readonly #form: CallForm;
  readonly #head: JsonObject;

  constructor(serial: string, callId: string, name: string, source: ToolSource | undefined) {
    this.#form = formOf(source);
    const { prefix, type, isNamed, isLate = false, streams = false } = this.#form;
    this.id = `${prefix}_${serial}`;
    this.isLate = isLate;
    this.streams = streams;
    this.#head = compact({
      id: this.id,
      type,
      call_id: callId,
      ...(isNamed && { name: source?.name ?? name, namespace: source?.namespace }),
    });
  }

  write(status: ItemStatus): JsonObject {
    const { whole, status: named = (given: ItemStatus) => given } = this.#form;
    return { ...this.#head, status: named(status), ...whole(this.arguments) };
  }
  announce(): JsonObject {
    return { ...this.#head, status: 'in_progress', ...this.#form.announced(this.arguments) };
  }
  open(): readonly ItemEvent[] {
    return [];
  }
  close(): readonly ItemEvent[] {
    return this.#form.events(this.arguments);
  }
}
