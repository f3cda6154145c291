/** What the command knows besides the database. */
export interface LitellmInput {
  /** config.yaml as a document; undefined: none was given. */
  readonly config: unknown;
  /** Where `os.environ/NAME` is looked up, after what the settings themselves say. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** LITELLM_SALT_KEY; '': it is the master key. */
  readonly saltKey: string;
  /** Dollars that everybody gets: LiteLLM has no balances. */
  readonly balance: number;
}
