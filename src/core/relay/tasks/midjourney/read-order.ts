/** From the body of a submit to what is ordered. */
import type { DrawingAction } from '../../../canonical/drawing.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { spellingOf } from '../../body/decisive-fields.ts';
import { actionOfCustomId, readChange, readSimpleChange } from './actions.ts';
import { DrawingRefusal } from './refusal.ts';

/** The submits, by the end of their path. */
export const submitPaths = [
  'submit/imagine',
  'submit/change',
  'submit/simple-change',
  'submit/describe',
  'submit/blend',
  'submit/action',
  'submit/modal',
  'submit/shorten',
  'submit/upload-discord-images',
  'submit/edits',
  'submit/video',
  'insight-face/swap',
] as const;
export type SubmitPath = (typeof submitPaths)[number];

export interface OrderFields {
  readonly action: DrawingAction;
  /** The task that this one continues; '' where it begins anew. */
  readonly parentId: string;
  /** '' where the body has none. */
  readonly prompt: string;
  readonly state: string;
}

type Read = (body: JsonObject) => { readonly action: DrawingAction; readonly parentId?: string };

function textIn(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function needText(body: JsonObject, name: string, refusal: string): string {
  const text = textIn(body, name);
  if (text.trim() === '') throw new DrawingRefusal(refusal);
  return text;
}

function needImages(body: JsonObject, least: number, most: number): void {
  const images: JsonValue = body['base64Array'] ?? [];
  const isValid =
    Array.isArray(images) &&
    images.length >= least &&
    images.length <= most &&
    images.every((item) => item !== '');
  if (!isValid) throw new DrawingRefusal('base64_array_is_required');
}

const taskOf = (body: JsonObject) => needText(body, 'taskId', 'task_id_is_required');

/** The fields that each submit must have, and the action it stands for. */
const readers: Readonly<Record<SubmitPath, Read>> = {
  'submit/imagine': (body) => {
    needText(body, 'prompt', 'prompt_is_required');
    return { action: 'IMAGINE' };
  },
  'submit/change': (body) => {
    const parentId = taskOf(body);
    return { ...readChange(body['action'], body['index']), parentId };
  },
  'submit/simple-change': (body) => {
    const { taskId, ...chosen } = readSimpleChange(
      needText(body, 'content', 'content_is_required'),
    );
    return { ...chosen, parentId: taskId };
  },
  'submit/describe': (body) => {
    if (textIn(body, 'base64') === '' && textIn(body, 'link') === '')
      throw new DrawingRefusal('base64_is_required');
    return { action: 'DESCRIBE' };
  },
  'submit/blend': (body) => {
    needImages(body, 2, 5);
    return { action: 'BLEND' };
  },
  'submit/action': (body) => {
    const chosen = actionOfCustomId(textIn(body, 'customId'));
    return { ...chosen, parentId: taskOf(body) };
  },
  'submit/modal': (body) => ({ action: 'MODAL', parentId: taskOf(body) }),
  'submit/shorten': (body) => {
    needText(body, 'prompt', 'prompt_is_required');
    return { action: 'SHORTEN' };
  },
  'submit/upload-discord-images': (body) => {
    needImages(body, 1, Number.POSITIVE_INFINITY);
    return { action: 'UPLOAD' };
  },
  'submit/edits': (body) => {
    needText(body, 'prompt', 'prompt_is_required');
    needText(body, 'image', 'image_is_required');
    return { action: 'EDITS' };
  },
  'submit/video': (body) => {
    const parentId = textIn(body, 'taskId');
    if (parentId !== '') {
      needText(body, 'action', 'action_is_required');
      return { action: 'VIDEO', parentId };
    }
    if (textIn(body, 'prompt') === '' && textIn(body, 'image') === '')
      throw new DrawingRefusal('prompt_is_required');
    return { action: 'VIDEO' };
  },
  'insight-face/swap': (body) => {
    if (textIn(body, 'sourceBase64') === '' || textIn(body, 'targetBase64') === '')
      throw new DrawingRefusal('sour_base64_and_target_base64_is_required');
    return { action: 'SWAP_FACE' };
  },
};

/** By these it is decided what is drawn, for whom, at what price, and who is notified. */
const checkSpelling = spellingOf([
  'accountFilter',
  'action',
  'base64',
  'base64Array',
  'content',
  'customId',
  'image',
  'index',
  'link',
  'notifyHook',
  'prompt',
  'sourceBase64',
  'state',
  'targetBase64',
  'taskId',
]);

/**
 * Throws DrawingRefusal with the first thing that is missing, AppError('invalid_request') for
 * another spelling.
 */
export function readOrder(path: SubmitPath, body: JsonObject): OrderFields {
  checkSpelling(body);
  const { action, parentId = '' } = readers[path](body);
  return { action, parentId, prompt: textIn(body, 'prompt'), state: textIn(body, 'state') };
}
