import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { imageUpload, uploadFiles } from './upload.ts';

const savedFile = z.object({
  /** Absolute. */
  full_url: z.string(),
  /** As its sender called it. */
  name: z.string(),
  /** Bytes as stored. */
  size: z.number().int(),
});

export const filesApi = {
  uploadImage: endpoint({
    method: 'POST',
    path: '/pg/upload/image',
    access: 'user',
    login: 'console',
    upload: imageUpload,
    input: z.object({ images: uploadFiles }),
    output: z.object({
      /** Of the first file. */
      full_url: z.string(),
      /** The same from the root of the site. */
      url: z.string(),
      files: z.array(savedFile),
    }),
    summary: 'Upload one to five images (JPEG or PNG, 10 MB each), as multipart/form-data with the field images',
  }),
};
