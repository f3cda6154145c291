import type { EnglishOf } from '../english-of.ts';
import type { upload as zh } from '../zh/upload.ts';

export const upload: EnglishOf<typeof zh> = {
  'upload.choose': 'Choose an image',
  'upload.replace': 'Replace',
  'upload.hint': 'Or drop or paste one here. JPEG or PNG, at most {{limit}} MB',
  'upload.sending': 'Uploading: {{percent}}%',
  'upload.cancel': 'Cancel upload',
  'upload.remove': 'Remove image',
  'upload.preview': 'Preview of the image',
  'upload.broken': 'The image cannot be shown',
  'upload.type': 'Unsupported image type. Use JPEG or PNG',
  'upload.tooLarge': 'The file is too large; the limit is {{limit}} MB',
};
