/** Requests for videos as DashScope takes them (docs/rules/video.md#dashscope-video). */
import { compact } from '../../canonical/kit/read-json.ts';
import type { Call, UpstreamRequest } from '../../canonical/provider.ts';
import type { VideoOrder } from '../../canonical/video.ts';
import type { JsonObject } from '../../kernel/json.ts';
import {
  videoModelName,
  videoSizes,
  videoSizeWords,
  wanGeneration,
} from '../../vocabulary/video-models.ts';
import { aliHeaders, aliRoot, postTo } from './request.ts';

const paths = {
  usual: '/api/v1/services/aigc/video-generation/video-synthesis',
  /** Of models that make a video of its first and last frame. */
  frames: '/api/v1/services/aigc/image2video/video-synthesis',
} as const;

/**
 * The ratio of a size, for models that take ratio and resolution instead; undefined: the size has
 * none of theirs.
 */
function ratioOf(size: string | undefined): string | undefined {
  if (size === undefined) return undefined;
  const sizes = Object.values(videoSizes).find((known) => known.includes(size));
  const ratio = sizes === undefined ? undefined : videoSizeWords[sizes.indexOf(size)];
  // What is near 4:5 and 5:4 has the ratios 3:4 and 4:3 there.
  return ratio === '4:5' ? '3:4' : ratio === '5:4' ? '4:3' : ratio;
}

/** From generation 2.7 on, what is not text is a list of media. */
function writeMedia({ image, firstFrame, lastFrame, audioUrl }: VideoOrder): JsonObject[] {
  const media = {
    first_frame: image ?? firstFrame,
    last_frame: lastFrame,
    driving_audio: audioUrl,
  };
  return Object.entries(media).flatMap(([type, url]) => (url === undefined ? [] : [{ type, url }]));
}

function writeInput(order: VideoOrder, takesMedia: boolean): JsonObject {
  const texts = {
    prompt: order.prompt === '' ? undefined : order.prompt,
    negative_prompt: order.negativePrompt,
  };
  if (takesMedia && order.kind !== 't2v') return compact({ ...texts, media: writeMedia(order) });
  return compact({
    ...texts,
    img_url: order.image,
    first_frame_url: order.firstFrame,
    last_frame_url: order.lastFrame,
    audio_url: order.audioUrl,
    template: order.template,
  });
}

function writeParameters(order: VideoOrder, takesMedia: boolean): JsonObject {
  const { kind, size, resolution } = order;
  const usual = kind === 't2v' ? { size } : { resolution };
  const format = takesMedia
    ? { resolution, ratio: kind === 't2v' ? ratioOf(size) : undefined }
    : usual;
  return compact({
    ...format,
    duration: order.seconds,
    prompt_extend: order.promptExtend,
    watermark: order.watermark,
    seed: order.seed,
    audio: order.audio,
    shot_type: order.shotType,
  });
}

/** Videos are only made as tasks: without the header the request is refused. */
export function encodeVideo(order: VideoOrder, call: Call): UpstreamRequest {
  const model = videoModelName(call.model);
  const takesMedia = wanGeneration(model) >= 2.7;
  const path = order.kind === 'kf2v' && !takesMedia ? paths.frames : paths.usual;
  const body = {
    model,
    input: writeInput(order, takesMedia),
    parameters: writeParameters(order, takesMedia),
  };
  const request = postTo(path, call, body);
  return { ...request, headers: { ...request.headers, 'x-dashscope-async': 'enable' } };
}

export function encodePoll(id: string, call: Call): UpstreamRequest {
  return {
    method: 'GET',
    url: `${aliRoot(call)}/api/v1/tasks/${encodeURIComponent(id)}`,
    headers: { accept: 'application/json', ...aliHeaders(call, false) },
  };
}
