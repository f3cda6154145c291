/** Failures in the words and fields that callers get. */
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { describeError } from '../../../src/core/relay/failure.ts';
import { openAiFamily } from '../../../src/core/relay/formats/families/openai.ts';

const upstream = { status: 400, message: 'bad', type: 'invalid_request_error', code: 'bad' };

test.each([
  [
    'an upstream’s own',
    { from: 'upstream', error: { ...upstream, param: 'tools' }, mappedStatus: 400 },
    'tools',
  ],
  [
    'its status where an upstream names none',
    { from: 'upstream', error: upstream, mappedStatus: 400 },
    '400',
  ],
  [
    'the field that OpenAI would name',
    { from: 'gateway', error: new AppError('response_item_not_found') },
    'input',
  ],
  [
    'empty for other errors of the gateway',
    { from: 'gateway', error: new AppError('token_unknown') },
    '',
  ],
] as const)('`param` of an OpenAI error is %s', (_, failure, param) => {
  const { error } = openAiFamily.errorBody(describeError(failure, 'en')) as {
    readonly error: { readonly param: string };
  };
  expect(error.param).toBe(param);
});
