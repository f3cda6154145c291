import { type ApiFamily, gatewayErrorType } from './api-family.ts';
import { sunoFamily } from './suno.ts';

/** Videos: the errors of task APIs, and beside them what OpenAI's clients read of an error. */
export const videoFamily: ApiFamily = {
  name: 'video',
  ownsPath: (_method, path) => /^\/v1\/(videos|video\/generations)(\/|$)/.test(path),
  errorBody: (error) => {
    const body = sunoFamily.errorBody(error);
    const { message, type = gatewayErrorType, param = null } = error;
    return { ...body, error: { message, type, param, code: body['code'] ?? null } };
  },
  errorEvent: (error) => `data: ${JSON.stringify(videoFamily.errorBody(error))}\n\n`,
  keepAlive: sunoFamily.keepAlive,
};
