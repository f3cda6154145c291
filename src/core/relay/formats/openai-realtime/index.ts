/**
 * OpenAI realtime: a WebSocket of many answers, relayed frame by frame. Its query names the model.
 */
import { openAiFamily } from '../families/openai.ts';
import { type SessionFormat, topLevelLimits } from '../shared/caller-format.ts';

export const openAiRealtime: SessionFormat = {
  kind: 'session',
  name: 'openai-realtime',
  family: openAiFamily,
  operation: 'realtime',
  routes: {},
  invalidRequest: 'invalid_request',
  check: () => undefined,
  streams: () => true,
  ...topLevelLimits,
  promptFields: [],
};
