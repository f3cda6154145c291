/** A row of `model_square`: the catalogue entry of a model (docs/rules/process.md#tables). */
export interface ModelSquareEntry {
  readonly model: string;
  readonly icon: string;
  readonly description: string;
  readonly descriptionEn: string;
  readonly type: string;
  readonly typeEn: string;
  /** JSON array as text, like the next field and `specification`. */
  readonly tags: string;
  readonly tagsEn: string;
  readonly manufacturer: string;
  /** 1 free, 2 billed. */
  readonly priceType: number;
  readonly context: string;
  readonly specification: string;
  /** `yyyy-MM-dd`. */
  readonly publishTime: string;
  /** 1 shown, 2 hidden. */
  readonly status: number;
  /** Shown only when the model has no current price. Decimal text. */
  readonly modelPrice: string | null;
  readonly createdTime: number;
  readonly updatedTime: number;
}

export interface ModelSquareRepository {
  /** Status 1 first, then publish time descending, then model. */
  list(): Promise<readonly ModelSquareEntry[]>;
  find(model: string): Promise<ModelSquareEntry | null>;
  /** Throws `conflict` for an existing model. */
  insert(entry: ModelSquareEntry): Promise<void>;
  update(model: string, change: Partial<Omit<ModelSquareEntry, 'model' | 'createdTime'>>): Promise<boolean>;
  delete(model: string): Promise<boolean>;
}

/** A row of `uploads`: a file uploaded by a user. Times are Unix seconds. */
export interface Upload {
  readonly id: number;
  readonly userId: number;
  /** Relative to the upload folder; unique. */
  readonly path: string;
  readonly mime: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  readonly createdAt: number;
  /** Null: kept until deleted. */
  readonly expiresAt: number | null;
}

export interface UploadRepository {
  insert(upload: Omit<Upload, 'id'>): Promise<number>;
  findByPath(path: string): Promise<Upload | null>;
  /** Total size of a user's files. */
  sumBytes(userId: number): Promise<number>;
  /** Expired before `now`, oldest first. */
  listExpired(now: number, limit: number): Promise<readonly Upload[]>;
  delete(id: number): Promise<boolean>;
}
