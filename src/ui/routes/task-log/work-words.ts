/**
 * Words and colours of statuses, actions, platforms and submit results
 * (docs/rules/task-logs.md#log-screens).
 */
import { taskTones } from '../../../core/vocabulary/status-tones.ts';
import { toneColours } from '../../components/status-colours.ts';
import type { Tone } from '../../components/status-dot.tsx';
import type { TextKey } from '../../i18n/index.ts';

interface Word {
  readonly label: TextKey;
  readonly tone: Tone;
}
type Words = Readonly<Record<string, Word>>;

const unknown: Word = { label: 'taskLog.status.UNKNOWN', tone: 'off' };

const drawingActions: Words = {
  IMAGINE: { label: 'taskLog.action.IMAGINE', tone: 'blu' },
  UPSCALE: { label: 'taskLog.action.UPSCALE', tone: 'org' },
  VARIATION: { label: 'taskLog.action.VARIATION', tone: 'vio' },
  HIGH_VARIATION: { label: 'taskLog.action.HIGH_VARIATION', tone: 'vio' },
  LOW_VARIATION: { label: 'taskLog.action.LOW_VARIATION', tone: 'vio' },
  PAN: { label: 'taskLog.action.PAN', tone: 'lime' },
  DESCRIBE: { label: 'taskLog.action.DESCRIBE', tone: 'yel' },
  BLEND: { label: 'taskLog.action.BLEND', tone: 'lime' },
  UPLOAD: { label: 'taskLog.action.UPLOAD', tone: 'blu' },
  SHORTEN: { label: 'taskLog.action.SHORTEN', tone: 'yel' },
  REROLL: { label: 'taskLog.action.REROLL', tone: 'vio' },
  INPAINT: { label: 'taskLog.action.INPAINT', tone: 'vio' },
  ZOOM: { label: 'taskLog.action.ZOOM', tone: 'ok' },
  CUSTOM_ZOOM: { label: 'taskLog.action.CUSTOM_ZOOM', tone: 'ok' },
  MODAL: { label: 'taskLog.action.MODAL', tone: 'ok' },
  SWAP_FACE: { label: 'taskLog.action.SWAP_FACE', tone: 'lime' },
};

const taskActions: Words = {
  MUSIC: { label: 'taskLog.action.MUSIC', tone: 'blu' },
  LYRICS: { label: 'taskLog.action.LYRICS', tone: 'vio' },
  IMAGE: { label: 'taskLog.action.IMAGE', tone: 'lime' },
  VIDEO: { label: 'taskLog.action.VIDEO', tone: 'org' },
};

const codes: Words = {
  '0': { label: 'taskLog.code.notSubmitted', tone: 'yel' },
  '1': { label: 'taskLog.code.submitted', tone: 'ok' },
  '21': { label: 'taskLog.code.waiting', tone: 'lime' },
  '22': { label: 'taskLog.code.duplicate', tone: 'org' },
};

const platforms: Words = {
  suno: { label: 'taskLog.platform.suno', tone: 'ok' },
  ali: { label: 'taskLog.platform.ali', tone: 'blu' },
};

const find = (words: Words, name: string): Word | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;

function isStatus(status: string): status is keyof typeof taskTones {
  return Object.hasOwn(taskTones, status);
}

export function statusWord(status: string): Word {
  if (!isStatus(status)) return unknown;
  return {
    label: status === '' ? 'taskLog.status.submitting' : `taskLog.status.${status}`,
    tone: toneColours[taskTones[status]],
  };
}

/** Undefined: this release does not know it, so it is shown as it is. */
export const actionWord = (action: string): Word | undefined =>
  find(drawingActions, action) ?? find(taskActions, action);
export const platformWord = (platform: string): Word | undefined => find(platforms, platform);
export const codeWord = (code: number): Word => find(codes, String(code)) ?? unknown;
