/**
 * Which action a caller means, where the path alone does not say it
 * (docs/rules/midjourney.md#actions).
 */
import type { DrawingAction } from '../../../canonical/drawing.ts';
import { DrawingRefusal } from './refusal.ts';

export interface ChosenAction {
  readonly action: DrawingAction;
  /** The image meant, from 1. */
  readonly index: number;
}

/** An index that is written in a `customId`. */
function indexOf(text: string | undefined): number {
  if (text === undefined || !/^\d{1,4}$/.test(text)) throw new DrawingRefusal('index_parse_failed');
  return Number(text);
}

/** Names that stand for one action each, without an index. */
const named: Readonly<Record<string, DrawingAction>> = {
  low_variation: 'LOW_VARIATION',
  high_variation: 'HIGH_VARIATION',
  Outpaint: 'ZOOM',
  CustomZoom: 'CUSTOM_ZOOM',
  Inpaint: 'INPAINT',
};

/**
 * Reads the id of a button, `MJ::JOB::upsample::2::…` or `MJ::CustomZoom::…`. Throws
 * DrawingRefusal.
 */
export function actionOfCustomId(customId: string): ChosenAction {
  if (customId === '') throw new DrawingRefusal('custom_id_is_required');
  const [, first = '', second = '', third] = customId.split('::');
  const name = first === 'JOB' ? second : first;
  const index = first === 'JOB' ? third : second;
  if (name.includes('upsample')) return { action: 'UPSCALE', index: indexOf(index) };
  if (name === 'variation') return { action: 'VARIATION', index: indexOf(index) };
  const action = Object.hasOwn(named, name) ? named[name] : undefined;
  if (action !== undefined) return { action, index: 1 };
  if (name.includes('pan')) return { action: 'PAN', index: 1 };
  if (name.includes('reroll')) return { action: 'REROLL', index: 1 };
  throw new DrawingRefusal(`unknown_action:${customId}`);
}

/** Reads `1320098173412546 U2`, `… V3` or `… R`. Throws DrawingRefusal. */
export function readSimpleChange(content: string): ChosenAction & { readonly taskId: string } {
  const [taskId = '', change = '', ...more] = content.split(' ');
  const [, letter = '', digit = ''] = /^(?:([uv])([1-4])|r)$/i.exec(change) ?? [
    undefined,
    '',
    change,
  ];
  const isReroll = change.toLowerCase() === 'r';
  if (taskId === '' || more.length > 0 || (letter === '' && !isReroll))
    throw new DrawingRefusal('content_parse_failed');
  if (isReroll) return { taskId, action: 'REROLL', index: 1 };
  return {
    taskId,
    action: letter.toLowerCase() === 'u' ? 'UPSCALE' : 'VARIATION',
    index: Number(digit),
  };
}

const changes = ['UPSCALE', 'VARIATION', 'REROLL'] as const;

/** The action of a body of `submit/change`. Throws DrawingRefusal. */
export function readChange(action: unknown, index: unknown): ChosenAction {
  if (typeof action !== 'string' || action === '') throw new DrawingRefusal('action_is_required');
  const known = changes.find((name) => name === action.toUpperCase());
  if (known === undefined) throw new DrawingRefusal(`unknown_action:${action}`);
  if (known === 'REROLL') return { action: known, index: 1 };
  if (index === undefined || index === null || index === 0)
    throw new DrawingRefusal('index_is_required');
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 1 || index > 4)
    throw new DrawingRefusal('index_parse_failed');
  return { action: known, index };
}

/** The model by which an action is priced and its channel chosen. */
export function modelOfAction(action: DrawingAction): string {
  return action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`;
}
