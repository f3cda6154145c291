import type { VideoKind, VideoResolution } from '../vocabulary/video-models.ts';

/** A request for one video. Images and audio are URLs or data URIs. */
export interface VideoOrder {
  readonly kind: VideoKind;
  /** Empty where images say it all. */
  readonly prompt: string;
  readonly negativePrompt?: string;
  /** What the video starts with (i2v). */
  readonly image?: string;
  /** Of kf2v. */
  readonly firstFrame?: string;
  readonly lastFrame?: string;
  /** What is heard. */
  readonly audioUrl?: string;
  /** Whether there is sound at all. */
  readonly audio?: boolean;
  /** Name of an effect. */
  readonly template?: string;
  /** `single` or `multi`. */
  readonly shotType?: string;
  /** `W*H`. */
  readonly size?: string;
  readonly resolution?: VideoResolution;
  /** Length, where the request names one. */
  readonly seconds?: number;
  readonly seed?: number;
  readonly promptExtend: boolean;
  readonly watermark: boolean;
}
