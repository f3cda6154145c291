/** The results of a task, out of what its upstream reported (docs/rules/task-logs.md#results). */
import { isObject } from '../kernel/json.ts';
import type { TaskEntity } from './task-logs.ts';

/**
 * One song, image, video or text. Addresses are http(s) or begin with `/`; '' where there is none.
 */
export interface TaskResult {
  readonly title: string;
  readonly audio: string;
  readonly video: string;
  readonly image: string;
  /** Lyrics. */
  readonly text: string;
  /** Style. */
  readonly tags: string;
  /** Length in seconds; 0: unknown. */
  readonly seconds: number;
}

/** An upstream reports what it likes; more results than this are left out. */
const mostResults = 20;
/** Where upstreams put a list of results. */
const listNames = ['clips', 'data', 'results', 'images', 'videos'];

/** The address if a page may link to it, else ''. */
export function resultAddress(value: unknown): string {
  if (typeof value !== 'string') return '';
  if (/^\/(?![/\\])/.test(value)) return value;
  if (!URL.canParse(value)) return '';
  return ['http:', 'https:'].includes(new URL(value).protocol) ? value : '';
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

function listOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  if (!isObject(data)) return [];
  for (const name of listNames) {
    const list = data[name];
    if (Array.isArray(list)) return list;
  }
  for (const name of ['output', 'data']) if (isObject(data[name])) return listOf(data[name]);
  return [data];
}

const noResult: TaskResult = {
  title: '',
  audio: '',
  video: '',
  image: '',
  text: '',
  tags: '',
  seconds: 0,
};

function readResult(value: unknown, action: string): TaskResult {
  if (!isObject(value)) {
    const address = resultAddress(value);
    return { ...noResult, ...(action === 'VIDEO' ? { video: address } : { image: address }) };
  }
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const plain = resultAddress(value['url']);
  const duration = Number(metadata['duration'] ?? value['duration']);
  return {
    title: textOf(value['title']),
    audio: resultAddress(value['audio_url']),
    video: resultAddress(value['video_url']) || (action === 'VIDEO' ? plain : ''),
    image:
      resultAddress(value['image_url']) ||
      resultAddress(value['image_large_url']) ||
      (action === 'IMAGE' ? plain : ''),
    text: textOf(value['text']) || textOf(metadata['prompt']),
    tags: textOf(metadata['tags']) || textOf(value['tags']),
    seconds: Number.isFinite(duration) && duration > 0 ? duration : 0,
  };
}

const isSomething = ({ audio, video, image, text }: TaskResult) =>
  [audio, video, image, text].some((part) => part !== '');

export function taskResults({
  action,
  data,
}: Pick<TaskEntity, 'action' | 'data'>): readonly TaskResult[] {
  return listOf(data)
    .slice(0, mostResults)
    .map((value) => readResult(value, action))
    .filter(isSomething);
}

/** What was ordered: the prompt of a task, and the model. */
export function taskOrder({ properties }: Pick<TaskEntity, 'properties'>): {
  readonly prompt: string;
  readonly model: string;
} {
  const { input, model } = properties;
  const order = isObject(input) ? input : {};
  const prompt =
    textOf(input) ||
    ['prompt', 'gpt_description_prompt', 'title']
      .map((name) => textOf(order[name]))
      .find(Boolean) ||
    '';
  return { prompt, model: textOf(model) || textOf(order['model']) };
}
