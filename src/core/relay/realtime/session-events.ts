/** What the events of a session mean for its charges and for the site's rules. */
import { AppError } from '../../kernel/errors.ts';
import type { Attempt } from '../attempt.ts';
import type { SensitiveWords } from '../body/sensitive-words.ts';
import type { Frame } from '../sockets/frame-pipe.ts';
import { hasSettings, inputTexts, type RealtimeEvent } from './events.ts';
import type { SessionMeter } from './session-meter.ts';
import type { Turns } from './turns.ts';

/** Throws AppError sensitive_words_detected. */
export function refuseWords(
  { data }: Frame,
  event: RealtimeEvent,
  words: SensitiveWords | null,
): void {
  if (words?.mightBeIn(data) && words.isIn(inputTexts(event).join('\n')))
    throw new AppError('sensitive_words_detected');
}

/** Opens and settles the charges of an upstream's event, which is sent on when that is done. */
export function chargeFor(
  event: RealtimeEvent | undefined,
  attempt: Attempt,
  turns: Turns,
  meter: SessionMeter,
): Promise<void> | undefined {
  if (event === undefined) return undefined;
  switch (event.type) {
    case 'response.created':
      return turns.begin(idOf(event), attempt);
    case 'response.done':
      return turns.finish(idOf(event), event.get('response'), attempt);
    case 'conversation.item.input_audio_transcription.completed':
      return turns.transcribed(event, attempt);
  }
  if (event.type.endsWith('.delta')) turns.take(event);
  else if (hasSettings(event)) meter.learn(event.get('session'));
  return undefined;
}

function idOf(event: RealtimeEvent): string {
  const response = event.get('response');
  return String((response as { id?: unknown } | null | undefined)?.id ?? event.get('response_id'));
}
