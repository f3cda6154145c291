/** Both sides of a request as what there is to count where its upstream reported no usage. */
import {
  type Countable,
  countableAnswer,
  countableText,
  type GeneratedText,
  noGeneratedText,
} from '../../metering/countable.ts';
import { countableChat } from '../../metering/countable-chat.ts';
import type { MeasuredUsage } from '../attempt.ts';
import { promptText } from '../formats/prompt-text.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';

type CountedJob = Pick<RelayJob, 'body' | 'format' | 'model' | 'stream'>;

/**
 * The upstream has accepted the body by then: one that we cannot read is counted by the texts found
 * in it.
 */
export function countableRequest(job: CountedJob): Countable {
  const { format, body, model } = job;
  try {
    if (format.countableInput !== undefined) {
      const input = format.countableInput(body);
      if (input !== undefined) return input;
    } else if (format.kind === 'conversation')
      return countableChat(readChat(format, job), model, format.overheads);
  } catch {
    // Counted by its texts.
  }
  return countableText(promptText(body));
}

export function sidesToCount(
  job: CountedJob,
  generated: () => GeneratedText = () => noGeneratedText,
): Pick<MeasuredUsage, 'input' | 'output'> {
  return { input: () => countableRequest(job), output: () => countableAnswer(generated()) };
}
