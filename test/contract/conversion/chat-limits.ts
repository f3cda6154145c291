/** The conversion of chat request features that some formats do not support. */
import type { Limit } from './limit.ts';

const user = (...content: object[]) => [{ role: 'user', content }];
const hi = { type: 'text', text: 'Hi' };
/** A schema that strict functions may have everywhere. */
const closed = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'], additionalProperties: false };

export const chatLimits: readonly Limit[] = [
  {
    caller: 'chat',
    feature: '`n` above 1',
    fields: { n: 2 },
    mark: { chat: '"n":2', messages: '"n"', Gemini: '"candidateCount":2', Responses: '"n"' },
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'refused' },
    reason: 'One answer per request; messages answers once, as its own compatible interface does.',
  },
  {
    caller: 'chat',
    feature: '`seed`',
    fields: { seed: 4711 },
    mark: '4711',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'dropped' },
    reason: 'A hint for repeatable sampling that these wires lack.',
  },
  {
    caller: 'chat',
    feature: '`frequency_penalty`, `presence_penalty`',
    fields: { frequency_penalty: 0.4711 },
    mark: '0.4711',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'dropped' },
    reason: 'Sampling settings that these wires lack.',
  },
  {
    caller: 'chat',
    feature: '`logit_bias`',
    fields: { logit_bias: { '4711': 5 } },
    mark: '4711',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'Token numbers mean something to one tokenizer only.',
  },
  {
    caller: 'chat',
    feature: '`logprobs`',
    fields: { logprobs: true, top_logprobs: 3 },
    mark: { chat: '"top_logprobs":3', messages: 'logprobs', Gemini: '"logprobs":3', Responses: '"top_logprobs":3' },
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'kept' },
    reason: 'Messages tells no probabilities.',
  },
  {
    caller: 'chat',
    feature: '`stop`',
    fields: { stop: ['THE-END'] },
    mark: 'THE-END',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'dropped' },
    reason: 'Responses has no stop sequences.',
  },
  {
    caller: 'chat',
    feature: '`input_audio`',
    fields: { messages: user(hi, { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }) },
    mark: 'UklGRg==',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'kept', Responses: 'kept' },
    reason: 'Claude does not listen.',
  },
  {
    caller: 'chat',
    feature: '`video_url`',
    fields: { messages: user(hi, { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAAIGZ0eXA=' } }) },
    mark: 'AAAAIGZ0eXA=',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'kept', Responses: 'kept' },
    reason: 'Claude does not watch. Responses takes it as a file, which its models may refuse.',
  },
  {
    caller: 'chat',
    feature: 'images in the result of a tool',
    fields: {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
        },
      ],
    },
    mark: 'iVBORw0KGgo=',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason: 'Where results are text, images follow them as words of the user. Towards chat they stay where they are.',
  },
  {
    caller: 'chat',
    feature: 'a file that is no PDF, image or text',
    fields: {
      messages: user(hi, { type: 'file', file: { filename: 'a.zip', file_data: 'data:application/zip;base64,UEsDBA==' } }),
    },
    mark: 'UEsDBA==',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'refused', Responses: 'kept' },
    reason: 'These providers read documents of few kinds.',
  },
  {
    caller: 'chat',
    feature: 'a file by its id',
    fields: { messages: user(hi, { type: 'file', file: { file_id: 'file-4711' } }) },
    mark: 'file-4711',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'refused', Responses: 'kept' },
    reason: 'Gemini names stored files by address.',
  },
  {
    caller: 'chat',
    feature: '`strict` of a function',
    fields: { tools: [{ type: 'function', function: { name: 'look', parameters: closed, strict: true } }] },
    mark: '"strict":true',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'dropped', Responses: 'kept' },
    reason: 'Gemini promises nothing of the kind. Claude since 4.5 does, as far as the limits of its grammar allow.',
  },
  {
    caller: 'chat',
    feature: '`response_format` with a schema, beside `tools`',
    fields: {
      response_format: { type: 'json_schema', json_schema: { name: 'at', schema: closed } },
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
    },
    mark: {
      chat: '"type":"json_schema"',
      messages: '"type":"json_schema"',
      Gemini: '"application/json"',
      Responses: '"type":"json_schema"',
    },
    fate: { chat: 'kept', messages: 'kept', Gemini: 'in words', Responses: 'kept' },
    reason: 'Gemini before 3 refuses the two together. Without `tools` it is kept.',
  },
  {
    caller: 'chat',
    feature: '`response_format` of type `json_object`',
    fields: { response_format: { type: 'json_object' } },
    mark: { chat: '"json_object"', messages: 'json_object', Gemini: '"application/json"', Responses: '"json_object"' },
    fate: { chat: 'kept', messages: 'in words', Gemini: 'kept', Responses: 'kept' },
    reason: 'Messages knows answers by a schema only.',
  },
  {
    caller: 'chat',
    feature: '`thought_signature` of Gemini at an earlier text or call (`extra_content`)',
    fields: {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello', extra_content: { google: { thought_signature: 'c2lnLTQ3MTE=' } } },
        { role: 'user', content: 'Again' },
      ],
    },
    mark: 'c2lnLTQ3MTE=',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'dropped' },
    reason: 'Proofs of thinking are bound to the provider that made them.',
  },
  {
    caller: 'chat',
    feature: '`audio` of an earlier answer, by its id',
    fields: {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', audio: { id: 'audio-4711' } },
        { role: 'user', content: 'Again' },
      ],
    },
    mark: 'audio-4711',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'The answer is kept by the provider that made it.',
  },
];
