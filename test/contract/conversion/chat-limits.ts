/** The conversion of chat request features that some formats do not support. */
import type { Limit } from './limit.ts';

const user = (...content: object[]) => [{ role: 'user', content }];
const hi = { type: 'text', text: 'Hi' };
/** A schema that strict functions may have everywhere. */
const closed = {
  type: 'object',
  properties: { at: { type: 'string' } },
  required: ['at'],
  additionalProperties: false,
};

export const chatLimits: readonly Limit[] = [
  {
    caller: 'chat',
    feature: '`n` above 1',
    fields: { n: 2 },
    mark: { chat: '"n":2', messages: '"n"', Gemini: '"candidateCount":2', Responses: '"n"' },
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'refused' },
    reason:
      "Messages gives one answer per request, as Anthropic's own OpenAI-compatible interface does.",
  },
  {
    caller: 'chat',
    feature: '`seed`',
    fields: { seed: 4711 },
    mark: '4711',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'dropped' },
    reason: 'These APIs have no such setting.',
  },
  {
    caller: 'chat',
    feature: '`frequency_penalty`, `presence_penalty`',
    fields: { frequency_penalty: 0.4711 },
    mark: '0.4711',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'These APIs have no such settings, and Gemini 2.5 refuses them; see Gemini 3 below.',
  },
  {
    caller: 'chat',
    feature: '`logit_bias`',
    fields: { logit_bias: { '4711': 5 } },
    mark: '4711',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'Token ids are specific to one tokenizer.',
  },
  {
    caller: 'chat',
    feature: '`logprobs`',
    fields: { logprobs: true, top_logprobs: 3 },
    mark: {
      chat: '"top_logprobs":3',
      messages: 'logprobs',
      Gemini: '"logprobs":3',
      Responses: '"top_logprobs":3',
    },
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'kept' },
    reason: 'Messages reports no probabilities.',
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
    feature: 'tools of type `custom`, and others that are no functions',
    fields: { tools: [{ type: 'custom', custom: { name: 'shell-4711' } }] },
    mark: 'shell-4711',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'refused', Responses: 'refused' },
    reason: 'Servers of chat completions know them or refuse them.',
  },
  {
    caller: 'chat',
    feature: '`input_audio`',
    fields: {
      messages: user(hi, { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }),
    },
    mark: 'UklGRg==',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'kept', Responses: 'kept' },
    reason: 'Claude takes no audio.',
  },
  {
    caller: 'chat',
    feature: '`video_url`',
    fields: {
      messages: user(hi, {
        type: 'video_url',
        video_url: { url: 'data:video/mp4;base64,AAAAIGZ0eXA=' },
      }),
    },
    mark: 'AAAAIGZ0eXA=',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'kept', Responses: 'kept' },
    reason: 'Claude takes no video. Responses takes it as a file, which its models may refuse.',
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
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          ],
        },
      ],
    },
    mark: 'iVBORw0KGgo=',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason:
      'Where results are text, images follow them in a user message. For chat they stay in the result.',
  },
  {
    caller: 'chat',
    feature: 'a file that is no PDF, image or text',
    fields: {
      messages: user(hi, {
        type: 'file',
        file: { filename: 'a.zip', file_data: 'data:application/zip;base64,UEsDBA==' },
      }),
    },
    mark: 'UEsDBA==',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'refused', Responses: 'kept' },
    reason: 'These providers read few kinds of documents.',
  },
  {
    caller: 'chat',
    feature: 'a file by its id',
    fields: { messages: user(hi, { type: 'file', file: { file_id: 'file-4711' } }) },
    mark: 'file-4711',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'refused', Responses: 'kept' },
    reason: 'Gemini refers to stored files by URL.',
  },
  {
    caller: 'chat',
    feature: '`strict` of a function',
    fields: {
      tools: [{ type: 'function', function: { name: 'look', parameters: closed, strict: true } }],
    },
    mark: '"strict":true',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'dropped', Responses: 'kept' },
    reason:
      'Gemini has no such guarantee. Claude has it since 4.5, within the limits of its grammar.',
  },
  {
    caller: 'chat',
    feature: '`response_format` with a schema, beside `tools`',
    fields: {
      response_format: { type: 'json_schema', json_schema: { name: 'at', schema: closed } },
      tools: [
        {
          type: 'function',
          function: { name: 'look', parameters: { type: 'object', properties: {} } },
        },
      ],
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
    mark: {
      chat: '"json_object"',
      messages: 'json_object',
      Gemini: '"application/json"',
      Responses: '"json_object"',
    },
    fate: { chat: 'kept', messages: 'in words', Gemini: 'kept', Responses: 'kept' },
    reason: 'Messages supports structured answers by schema only.',
  },
  {
    caller: 'chat',
    feature: '`thought_signature` of Gemini at an earlier text or call (`extra_content`)',
    fields: {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: 'Hello',
          extra_content: { google: { thought_signature: 'c2lnLTQ3MTE=' } },
        },
        { role: 'user', content: 'Again' },
      ],
    },
    mark: 'c2lnLTQ3MTE=',
    fate: { chat: 'kept', messages: 'dropped', Gemini: 'kept', Responses: 'dropped' },
    reason: 'Thinking signatures are valid only at the provider that made them.',
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
