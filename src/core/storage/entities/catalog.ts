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
  update(
    model: string,
    change: Partial<Omit<ModelSquareEntry, 'model' | 'createdTime'>>,
  ): Promise<boolean>;
  delete(model: string): Promise<boolean>;
}
