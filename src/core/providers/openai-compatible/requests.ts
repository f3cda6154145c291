/** The requests of one vendor: callers' bodies sent on with edits, and bodies of our own. */

import { type FormEntry, writeMultipart } from '../../canonical/kit/multipart.ts';
import { jsonHeaders, withClientQuery } from '../../canonical/kit/request-target.ts';
import type { BodyFields, Target } from '../../canonical/pass-through.ts';
import type { Call, UpstreamRequest } from '../../canonical/provider.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import {
  applyEdits,
  type EditFields,
  editForOpenAi,
  editImageForOpenAi,
  editStreamOptions,
  type FieldEdits,
  type FieldReader,
  leaveFields,
  olderRoles,
} from './model-rules.ts';
import { editResponsesForOpenAi } from './responses.ts';
import type { OpenAiSettings } from './settings.ts';
import {
  bearerHeaders,
  byModel,
  type OpenAiCompatible,
  type OpenAiTask,
  openAiAddress,
} from './vendor.ts';

export interface VendorRequests {
  /** Where a caller's own body goes, and what must change in it. */
  forward(task: OpenAiTask, fields: BodyFields, call: Call<OpenAiSettings>): Target;
  /** A JSON request to a task's address. */
  post(task: OpenAiTask, call: Call<OpenAiSettings>, body: JsonObject): UpstreamRequest;
  /** A form to a task's address: the texts first, then the files. */
  postForm(
    task: OpenAiTask,
    call: Call<OpenAiSettings>,
    texts: JsonObject,
    files: readonly FormEntry[],
  ): UpstreamRequest & { readonly body: Uint8Array };
  /** A GET: the model list, a socket. */
  addressOf(task: OpenAiTask, call: Call<OpenAiSettings>): string;
  headers(call: Call<OpenAiSettings>): Record<string, string>;
}

/** A list is a field that is there several times. */
function textEntries(fields: JsonObject): FormEntry[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const values: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    return values.map(
      (one): FormEntry => [name, typeof one === 'string' ? one : JSON.stringify(one)],
    );
  });
}

export function createRequests(vendor: OpenAiCompatible): VendorRequests {
  const address = vendor.address ?? openAiAddress;
  const headers = vendor.headers ?? bearerHeaders;
  const upstreamModel = vendor.upstreamModel ?? ((model: string) => model);
  const editors: Partial<Record<OpenAiTask, EditFields>> = {
    image: editImageForOpenAi,
    'image-edit': editImageForOpenAi,
    responses: editResponsesForOpenAi,
    'responses-compact': editResponsesForOpenAi,
    ...vendor.edits,
    chat: vendor.edit ?? editForOpenAi,
  };

  /** What a task's body needs, a caller's own or a translated one. */
  function prepare(task: OpenAiTask, field: FieldReader, call: Call<OpenAiSettings>) {
    const { model: edited, edits } = (editors[task] ?? leaveFields)(field, call.model, call);
    const model = upstreamModel(edited, call);
    const streams = task === 'chat' || task === 'completion';
    const options = streams
      ? editStreamOptions(field, byModel(vendor.streamOptions, true, model, call))
      : {};
    return { model, edits: { ...edits, ...options }, url: address(task, call, model) };
  }

  /** Edits that a forwarded chat needs where the server does not know every role. */
  function editRoles(
    fields: BodyFields,
    edits: FieldEdits,
    call: Call<OpenAiSettings>,
  ): FieldEdits {
    const unknown =
      !byModel(vendor.developerRole, true, call.model, call) &&
      fields.contains?.('"developer"') === true;
    const messages = unknown ? olderRoles(edits.messages ?? fields.get('messages')) : undefined;
    return messages === undefined ? edits : { ...edits, messages };
  }

  /** `body` with its edits, and the model it ends up asking for. */
  function written(task: OpenAiTask, call: Call<OpenAiSettings>, body: JsonObject) {
    const { model, edits, url } = prepare(task, (name) => body[name], call);
    return { url, body: { ...applyEdits(body, edits), model } };
  }

  return {
    forward(task, fields, call) {
      const {
        model,
        edits: usualEdits,
        ...usual
      } = prepare(task, (name) => fields.get(name), call);
      const edits = task === 'chat' ? editRoles(fields, usualEdits, call) : usualEdits;
      const url = (task === 'chat' ? vendor.chatAddress?.(fields, call) : undefined) ?? usual.url;
      const stream = task !== 'embedding' && fields.get('stream') === true;
      return {
        url: vendor.completeUrl === true ? url : withClientQuery(url, call),
        headers: { ...jsonHeaders(stream), ...headers(call, stream) },
        edits,
        model: model === call.model ? undefined : model,
      };
    },
    post(task, call, given) {
      const { url, body } = written(task, call, given);
      const stream = given.stream === true;
      return {
        method: 'POST',
        url,
        headers: { ...jsonHeaders(stream), ...headers(call, stream) },
        body,
      };
    },
    postForm(task, call, texts, files) {
      const { url, body } = written(task, call, texts);
      const form = writeMultipart([...textEntries(body), ...files]);
      const common = { ...jsonHeaders(false), ...headers(call, false) };
      return {
        method: 'POST',
        url,
        headers: { ...common, 'content-type': form.contentType },
        body: form.bytes,
      };
    },
    addressOf: (task, call) => address(task, call, upstreamModel(call.model, call)),
    headers: (call) => headers(call, false),
  };
}
