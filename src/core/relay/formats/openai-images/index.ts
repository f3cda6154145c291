/** OpenAI images: generations and edits. */
import { listOf } from '../../../canonical/kit/read-json.ts';
import { openAiFamily } from '../families/openai.ts';
import { callForward, isOfType } from '../shared/call-forward.ts';
import { type CallFormat, topLevelLimits, wantsStream } from '../shared/caller-format.ts';
import { readValues } from '../shared/events.ts';
import type { ForwardFormat } from '../shared/forward-format.ts';
import { checkImageFields, imageCount } from './fields.ts';
import { measureImages } from './measure.ts';
import { writeReply } from './reply.ts';
import { checkEdit, readEdit, readGeneration } from './request.ts';

/** `ending`: type of the event that brings a finished image. */
function forwardOf(ending: string): ForwardFormat {
  return callForward({
    answerField: 'data',
    images: (reply) => listOf(reply.get('data')).length,
    streamImages: (events) => readValues(events).filter(isOfType(ending)).length,
    imagesOrdered: imageCount,
    ending,
  });
}

export const openAiImages: CallFormat<'image'> = {
  kind: 'call',
  name: 'openai-images',
  family: openAiFamily,
  operation: 'image',
  routes: { paths: ['/v1/images/generations'] },
  defaultModel: 'dall-e-2',
  invalidRequest: 'invalid_request',
  check: (body, { model }) => checkImageFields(body, model),
  streams: wantsStream,
  ...topLevelLimits,
  answerCounts: () => ({}), // checked with the other fields
  promptFields: ['prompt'],
  measure: measureImages,
  forward: forwardOf('image_generation.completed'),
  readRequest: (body, { model }) => readGeneration(body, model),
  images: (reply) => reply.images.length,
  writeReply: (reply, request, context) => writeReply('image_generation', reply, request, context),
};

export const openAiImageEdits: CallFormat<'image-edit'> = {
  kind: 'call',
  name: 'openai-image-edits',
  family: openAiFamily,
  operation: 'image-edit',
  routes: { paths: ['/v1/images/edits'] },
  defaultModel: 'dall-e-2',
  form: 'allowed',
  invalidRequest: 'invalid_request',
  check(body, { model }) {
    checkImageFields(body, model);
    checkEdit(body);
  },
  streams: wantsStream,
  ...topLevelLimits,
  answerCounts: () => ({}), // checked with the other fields
  promptFields: ['prompt'],
  measure: measureImages,
  forward: forwardOf('image_edit.completed'),
  readRequest: (body, { model }, files) => readEdit(body, model, files),
  images: (reply) => reply.images.length,
  writeReply: (reply, request, context) => writeReply('image_edit', reply, request, context),
};
