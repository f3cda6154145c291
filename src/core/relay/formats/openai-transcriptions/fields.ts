import type { MediaFile } from '../../../canonical/calls.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { RequestBody } from '../../body/request-body.ts';

function fail(detail: string): never {
  throw new AppError('invalid_audio_request', { detail });
}

/** Fields by which some vendors take other audio instead: Groq `url`, Mistral the others. */
const otherSource = /^(?:(?:file_|audio_)?url|file_id)$/i;

/** Only the file is measured. Throws AppError('invalid_audio_request'). */
export function checkSource(body: RequestBody): void {
  for (const name of body.names())
    if (otherSource.test(name)) fail(`${name} is not supported: the audio must be in file`);
}

/** The audio. Throws AppError('invalid_audio_request'). */
export function audioFile(body: RequestBody): MediaFile {
  const file = body.files.find(({ name }) => name === 'file')?.file;
  if (file === undefined) return fail('file is required');
  return file.bytes.length === 0 ? fail('file is empty') : file;
}

export function textField(body: RequestBody, name: string): string | undefined {
  const value = body.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function temperatureOf(body: RequestBody): number | undefined {
  const text = textField(body, 'temperature');
  if (text === undefined) return undefined;
  return Number.isFinite(Number(text)) ? Number(text) : fail('temperature must be a number');
}
