import { lostResponse } from '../formats/openai-responses/background.ts';
import {
  BackgroundResponses,
  type BackgroundResponsesDeps,
} from '../stored-responses/background-responses.ts';

/** Background responses, which fail in the words of the Responses API. */
export function openBackground(
  deps: Omit<BackgroundResponsesDeps, 'failLost'>,
): BackgroundResponses {
  return new BackgroundResponses({ ...deps, failLost: lostResponse });
}
