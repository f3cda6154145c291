import { describe, expect, it } from 'vitest';
import {
  actionOfCustomId,
  modelOfAction,
  readSimpleChange,
} from '../../../../../src/core/relay/tasks/midjourney/actions.ts';
import {
  readOrder,
  type SubmitPath,
} from '../../../../../src/core/relay/tasks/midjourney/read-order.ts';

const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return String((error as { params: { detail: string } }).params.detail);
  }
  return 'accepted';
};

describe('the action of a button', () => {
  it.each([
    ['MJ::JOB::upsample::2::h', 'UPSCALE', 2],
    ['MJ::JOB::upsample_v5_2x::1::h::SOLO', 'UPSCALE', 1],
    ['MJ::JOB::variation::3::h', 'VARIATION', 3],
    ['MJ::JOB::low_variation::1::h::SOLO', 'LOW_VARIATION', 1],
    ['MJ::JOB::high_variation::1::h::SOLO', 'HIGH_VARIATION', 1],
    ['MJ::JOB::pan_left::1::h::SOLO', 'PAN', 1],
    ['MJ::JOB::reroll::0::h::SOLO', 'REROLL', 1],
    ['MJ::Outpaint::50::1::h::SOLO', 'ZOOM', 1],
    ['MJ::CustomZoom::h', 'CUSTOM_ZOOM', 1],
    ['MJ::Inpaint::1::h::SOLO', 'INPAINT', 1],
    ['MJ::JOB::Inpaint::1::h', 'INPAINT', 1],
  ])('%s is %s', (customId, action, index) => {
    expect(actionOfCustomId(customId)).toEqual({ action, index });
  });

  it.each([
    ['', 'custom_id_is_required'],
    ['MJ', 'unknown_action:MJ'],
    ['MJ::JOB', 'unknown_action:MJ::JOB'],
    ['MJ::JOB::upsample', 'index_parse_failed'],
    ['MJ::JOB::upsample::two::h', 'index_parse_failed'],
    ['MJ::JOB::variation::', 'index_parse_failed'],
    ['MJ::BOOKMARK::h', 'unknown_action:MJ::BOOKMARK::h'],
    ['MJ::constructor::1', 'unknown_action:MJ::constructor::1'],
  ])('%j is refused with %s', (customId, refusal) => {
    expect(refusalOf(() => actionOfCustomId(customId))).toBe(refusal);
  });
});

describe('a simple change', () => {
  it.each([
    ['1320098173412546 U2', 'UPSCALE', 2],
    ['1320098173412546 v4', 'VARIATION', 4],
    ['1320098173412546 r', 'REROLL', 1],
  ])('%s', (content, action, index) => {
    expect(readSimpleChange(content)).toEqual({ taskId: '1320098173412546', action, index });
  });

  it.each(['U1', '1 U5', '1 U', '1 X1', '1 R1', '1  U1', '1 U1 more', ' U1'])(
    '%j is refused',
    (content) => {
      expect(refusalOf(() => readSimpleChange(content))).toBe('content_parse_failed');
    },
  );
});

it('models are named by their action', () => {
  expect(
    ['IMAGINE', 'CUSTOM_ZOOM', 'SWAP_FACE', 'VIDEO'].map((action) =>
      modelOfAction(action as 'IMAGINE'),
    ),
  ).toEqual(['mj_imagine', 'mj_custom_zoom', 'swap_face', 'mj_video']);
});

describe('the body of a submit', () => {
  const image = 'data:image/png;base64,AAAA';
  it.each<[SubmitPath, object, string]>([
    ['submit/imagine', {}, 'prompt_is_required'],
    ['submit/imagine', { prompt: '  ' }, 'prompt_is_required'],
    ['submit/change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
    ['submit/change', { taskId: '1' }, 'action_is_required'],
    ['submit/change', { taskId: '1', action: 'UPSCALE' }, 'index_is_required'],
    ['submit/change', { taskId: '1', action: 'VARIATION', index: 5 }, 'index_parse_failed'],
    ['submit/change', { taskId: '1', action: 'ZOOM', index: 1 }, 'unknown_action:ZOOM'],
    ['submit/simple-change', {}, 'content_is_required'],
    ['submit/simple-change', { content: 'nothing' }, 'content_parse_failed'],
    ['submit/action', { taskId: '1' }, 'custom_id_is_required'],
    ['submit/action', { customId: 'MJ::CustomZoom::h' }, 'task_id_is_required'],
    ['submit/modal', { prompt: 'cat' }, 'task_id_is_required'],
    ['submit/shorten', {}, 'prompt_is_required'],
    ['submit/describe', {}, 'base64_is_required'],
    ['submit/blend', { base64Array: [image] }, 'base64_array_is_required'],
    ['submit/blend', { base64Array: [image, ''] }, 'base64_array_is_required'],
    ['submit/upload-discord-images', { base64Array: [] }, 'base64_array_is_required'],
    ['submit/edits', { prompt: 'cat' }, 'image_is_required'],
    ['submit/video', {}, 'prompt_is_required'],
    ['submit/video', { taskId: '1' }, 'action_is_required'],
    ['insight-face/swap', { sourceBase64: image }, 'sour_base64_and_target_base64_is_required'],
  ])('%s %j is refused with %s', (path, body, refusal) => {
    expect(refusalOf(() => readOrder(path, body as never))).toBe(refusal);
  });

  it.each<[SubmitPath, object, string, string]>([
    ['submit/imagine', { prompt: 'cat' }, 'IMAGINE', ''],
    ['submit/change', { taskId: '1', action: 'reroll' }, 'REROLL', '1'],
    ['submit/change', { taskId: '1', action: 'UPSCALE', index: 4 }, 'UPSCALE', '1'],
    ['submit/simple-change', { content: '1 R' }, 'REROLL', '1'],
    ['submit/action', { taskId: '1', customId: 'MJ::Inpaint::1::h' }, 'INPAINT', '1'],
    ['submit/modal', { taskId: '1' }, 'MODAL', '1'],
    ['submit/describe', { link: 'https://images.example/a.png' }, 'DESCRIBE', ''],
    ['submit/blend', { base64Array: [image, image] }, 'BLEND', ''],
    ['submit/upload-discord-images', { base64Array: [image] }, 'UPLOAD', ''],
    ['submit/edits', { prompt: 'cat', image }, 'EDITS', ''],
    ['submit/video', { taskId: '1', action: 'extend', index: 1 }, 'VIDEO', '1'],
    ['submit/video', { image, motion: 'low' }, 'VIDEO', ''],
    ['insight-face/swap', { sourceBase64: image, targetBase64: image }, 'SWAP_FACE', ''],
  ])('%s %j is %s', (path, body, action, parentId) => {
    expect(readOrder(path, body as never)).toMatchObject({ action, parentId });
  });
});
