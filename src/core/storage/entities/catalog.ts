/** A row of `model_square`: what the catalogue says about a model (spec, console-api 12.2). */
export interface ModelSquareEntry {
  readonly model: string;
  readonly icon: string;
  readonly description: string;
  readonly descriptionEn: string;
  readonly type: string;
  readonly typeEn: string;
  /** JSON array text; so are the next and `specification`. */
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
  /** Shown only when the model has no live price. Decimal text. */
  readonly modelPrice: string | null;
  readonly createdTime: number;
  readonly updatedTime: number;
}

export interface ModelSquareRepository {
  /** Status 1 first, then publish time descending, then model. */
  list(): Promise<readonly ModelSquareEntry[]>;
  find(model: string): Promise<ModelSquareEntry | null>;
  /** A model that is there already is `conflict`. */
  insert(entry: ModelSquareEntry): Promise<void>;
  update(model: string, change: Partial<Omit<ModelSquareEntry, 'model' | 'createdTime'>>): Promise<boolean>;
  delete(model: string): Promise<boolean>;
}

/** A row of `uploads`: a file that a user left with us. Times are Unix seconds. */
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
  /** What a user's files take together. */
  sumBytes(userId: number): Promise<number>;
  /** Expired before `now`, oldest first. */
  listExpired(now: number, limit: number): Promise<readonly Upload[]>;
  delete(id: number): Promise<boolean>;
}
