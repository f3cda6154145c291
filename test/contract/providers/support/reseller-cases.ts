/**
 * Imported resellers differ only in their account endpoints
 * (test/core/providers/look-alikes.test.ts).
 */
import { openAiCases } from './openai-cases.ts';

export const resellerCases = openAiCases({
  paths: {
    chat: '/v1/chat/completions',
    completion: '/v1/completions',
    embedding: '/v1/embeddings',
    moderation: '/v1/moderations',
    image: '/v1/images/generations',
    'image-edit': '/v1/images/edits',
    speech: '/v1/audio/speech',
    transcription: '/v1/audio/transcriptions',
    translation: '/v1/audio/translations',
    rerank: '/v1/rerank',
    responses: '/v1/responses',
  },
});
