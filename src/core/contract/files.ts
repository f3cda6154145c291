import { z } from '../kernel/zod.ts';
import { imageUpload, imageUploadPath } from '../vocabulary/image-upload.ts';
import { endpoint, id, nothing, pageOf, pageQuery } from './endpoint.ts';
import { uploadFiles } from './upload.ts';

const savedFile = z.object({
  /** Absolute. */
  full_url: z.string(),
  /** As its sender called it. */
  name: z.string(),
  /** Bytes as stored. */
  size: z.number().int(),
});

const storedFile = z.object({
  /** From the root of the site. */
  url: z.string(),
  user_id: z.number().int(),
  mime: z.string(),
  /** Bytes. */
  size: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  created_at: z.number().int(),
  /** Null: kept until deleted. */
  expires_at: z.number().int().nullable(),
});
export type StoredFile = z.infer<typeof storedFile>;

const fileSum = z.object({ files: z.number().int(), bytes: z.number().int() });

export const filesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/files',
    access: 'root',
    input: pageQuery.extend({ user_id: id.optional() }),
    output: pageOf(storedFile),
    summary: 'Uploaded images, newest first',
  }),
  usage: endpoint({
    method: 'GET',
    path: '/api/turnpike/files/usage',
    access: 'root',
    input: nothing,
    output: z.object({ uploads: fileSum, results: fileSum }),
    summary: 'Number and size of uploaded images and of stored results',
  }),
  clean: endpoint({
    method: 'POST',
    path: '/api/turnpike/files/clean',
    access: 'root',
    input: nothing,
    output: z.object({ deleted: z.number().int() }),
    summary: 'Delete expired files, and those of deleted users, now instead of within the hour',
  }),
  showForeign: endpoint({
    method: 'POST',
    path: '/api/turnpike/files/foreign',
    access: 'user',
    login: 'console',
    input: z.object({ address: z.string() }),
    output: z.object({
      /** From the root of the site; for this user, for an hour. */
      url: z.string(),
    }),
    summary:
      'An own address at which the gateway passes on a picture, music or a video of another site',
  }),
  uploadImage: endpoint({
    method: 'POST',
    path: imageUploadPath,
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
    summary:
      'Upload one to five images (JPEG or PNG, 10 MB each), as multipart/form-data with the field images',
  }),
};
