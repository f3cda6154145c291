/** Sizes, resolutions and known models of video generation (docs/rules/video.md#video-models). */

export const videoResolutions = ['480P', '720P', '1080P'] as const;
export type VideoResolution = (typeof videoResolutions)[number];

/**
 * Width and height of videos by resolution, in the order of {@link videoSizeWords}; the first is
 * where none is given.
 */
export const videoSizes: Readonly<Record<VideoResolution, readonly string[]>> = {
  '480P': ['832*480', '480*832', '624*624'],
  '720P': ['1280*720', '720*1280', '960*960', '1088*832', '832*1088'],
  '1080P': ['1920*1080', '1080*1920', '1440*1440', '1632*1248', '1248*1632'],
};

/**
 * Aspect ratios that may be given in place of a size, in the order of the sizes of each resolution.
 */
export const videoSizeWords: readonly string[] = ['16:9', '9:16', '1:1', '5:4', '4:5'];

/** What a video is made of: text, one image, or the images of its first and last frame. */
export type VideoKind = 't2v' | 'i2v' | 'kf2v';

export interface VideoModel {
  readonly resolutions: readonly VideoResolution[];
  /** Lengths to choose from. */
  readonly seconds: readonly number[];
  readonly defaultResolution: VideoResolution;
  readonly defaultSeconds: number;
}

function model(
  resolutions: readonly VideoResolution[],
  defaultResolution: VideoResolution,
  seconds: readonly number[] = [5],
): VideoModel {
  return { resolutions, seconds, defaultResolution, defaultSeconds: 5 };
}

const upToFifteen = Array.from({ length: 14 }, (_, index) => index + 2);

/** What models accept; requests for others are left to the upstream. */
export const videoModels: Readonly<Record<string, VideoModel>> = {
  'wanx2.1-t2v-turbo': model(['480P', '720P'], '720P'),
  'wanx2.1-t2v-plus': model(['720P'], '720P'),
  'wanx2.1-i2v-turbo': model(['480P', '720P'], '720P', [3, 4, 5]),
  'wanx2.1-i2v-plus': model(['720P'], '720P'),
  'wan2.2-t2v-plus': model(['480P', '1080P'], '1080P'),
  'wan2.2-i2v-plus': model(['480P', '1080P'], '1080P'),
  'wan2.2-i2v-flash': model(['480P', '720P'], '720P'),
  'wan2.5-t2v-preview': model(['480P', '720P', '1080P'], '1080P', [5, 10]),
  'wan2.5-i2v-preview': model(['480P', '720P', '1080P'], '1080P', [5, 10]),
  'wan2.6-t2v': model(['720P', '1080P'], '1080P', upToFifteen),
  'wan2.6-i2v': model(['720P', '1080P'], '1080P', upToFifteen),
  'wan2.6-i2v-flash': model(['720P', '1080P'], '1080P', upToFifteen),
};

/** Seconds of a video of unknown models where the request names none. */
export const usualVideoSeconds = 5;

/**
 * The models' own names: those of generation 2.1 are written `wanx2.1…`, but often typed as their
 * successors are.
 */
export function videoModelName(name: string): string {
  return name.replace(/^wan2\.1/i, 'wanx2.1');
}

export function videoModelOf(name: string): VideoModel | undefined {
  return videoModels[videoModelName(name)];
}

/** By the model's name; undefined: it does not say. */
export function videoKindOf(name: string): VideoKind | undefined {
  if (name.includes('kf2v')) return 'kf2v';
  if (name.includes('i2v')) return 'i2v';
  return name.includes('t2v') ? 't2v' : undefined;
}

/** The generation of a wan model as a number, 2.1 for `wanx2.1-t2v-turbo`; 0 for others. */
export function wanGeneration(name: string): number {
  return Number(/^wanx?(\d+\.\d+)/i.exec(name)?.[1] ?? 0);
}

/** Most characters of a prompt: the upstream cuts longer ones off without an error. */
export function longestVideoPrompt(name: string): number {
  const generation = wanGeneration(name);
  if (generation === 0) return 5000;
  if (generation < 2.5) return 800;
  return generation < 2.7 ? 1500 : 5000;
}

/** The resolution that a size `W*H` belongs to; sizes in no list by their pixels. */
export function resolutionOfSize(size: string): VideoResolution {
  const listed = videoResolutions.find((resolution) => videoSizes[resolution].includes(size));
  if (listed !== undefined) return listed;
  const [width = 0, height = 0] = size.split('*').map(Number);
  const pixels = width * height;
  const largest = { '480P': 480_000, '720P': 1_200_000 } as const;
  if (pixels <= largest['480P']) return '480P';
  return pixels <= largest['720P'] ? '720P' : '1080P';
}
