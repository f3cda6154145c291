/** Limits of what a call with files accepts. */
export interface UploadRule {
  /** The form's field, and the input's. */
  readonly field: string;
  readonly maxFiles: number;
  /** Of one file. */
  readonly maxBytes: number;
}

/** The call by which users upload images, and its limits (docs/rules/files.md#upload-call). */
export const imageUploadPath = '/pg/upload/image';
export const imageUpload = {
  field: 'images',
  maxFiles: 5,
  maxBytes: 10 * 1024 * 1024,
} as const satisfies UploadRule;
