import { useEffect, useRef, useState } from 'react';
import { imageUpload } from '../../../core/vocabulary/image-upload.ts';
import { failureText, leaveWhenExpired } from '../../client/failures.ts';
import { uploadImage } from '../../client/upload.ts';
import { useTranslation } from '../../i18n/index.ts';

export const imageTypes = ['image/jpeg', 'image/png'];
export const maxImageMegabytes = imageUpload.maxBytes / (1024 * 1024);

export interface ImageUploadState {
  /** From 0 to 1 while an image is sent. */
  readonly progress: number | undefined;
  readonly error: string | undefined;
  /**
   * The image that was chosen here last, as a local address; it is shown before the server has it.
   */
  readonly preview: string | undefined;
  readonly name: string;
  choose(file: File | undefined): void;
  /** Ends what is being sent and forgets the image and its error. */
  clear(): void;
}

/**
 * Sends an image as soon as it is chosen. `onUploaded` gets its path, which holds whatever the
 * site's address is.
 */
export function useImageUpload(onUploaded: (url: string) => void): ImageUploadState {
  const { t } = useTranslation();
  const [file, setFile] = useState<File>();
  const [progress, setProgress] = useState<number>();
  const [error, setError] = useState<string>();
  const preview = usePreview(file);
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);

  const clear = () => {
    sending.current?.abort();
    setFile(undefined);
    setProgress(undefined);
    setError(undefined);
  };

  const send = async (image: File) => {
    const stop = new AbortController();
    sending.current = stop;
    setFile(image);
    setProgress(0);
    try {
      const { url } = await uploadImage(image, { onProgress: setProgress, signal: stop.signal });
      onUploaded(url);
    } catch (failure) {
      if (stop.signal.aborted || leaveWhenExpired(failure)) return;
      setFile(undefined);
      setError(failureText(failure));
    }
    setProgress(undefined);
  };

  const choose = (image: File | undefined) => {
    if (image === undefined) return;
    clear();
    if (!imageTypes.includes(image.type)) setError(t('upload.type'));
    else if (image.size > imageUpload.maxBytes)
      setError(t('upload.tooLarge', { limit: maxImageMegabytes }));
    else void send(image);
  };

  return { progress, error, preview, name: file?.name ?? '', choose, clear };
}

function usePreview(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (file === undefined) return setAddress(undefined);
    const created = URL.createObjectURL(file);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return address;
}
