/**
 * The responses of the site's users (docs/rules/responses.md#stored): found only by their owner.
 * All methods wait for the owner's responses that are still being written.
 */
import { atMost } from '../../kernel/at-most.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { StoredResponse, StoredResponseRepository } from '../../storage/storage.ts';
import { ContentQuota } from './content-quota.ts';
import { packJson, type ResponseContent, unpackJson } from './response-content.ts';
import { ResponseWriter } from './response-writer.ts';

/** A response to be kept. */
export interface KeptResponse
  extends Omit<StoredResponse, 'inputSize' | 'responseSize' | 'createdAt' | 'expiresAt'> {
  readonly content: ResponseContent;
  readonly itemIds: readonly string[];
}

/** What a request refers to. */
export interface ResponseReferences {
  readonly previousId: string | undefined;
  readonly itemIds: readonly string[];
}

/** The rows that a request refers to. */
export interface FoundReferences {
  readonly previous: StoredResponse | undefined;
  readonly items: ReadonlyMap<string, StoredResponse>;
}

type Claim = (bytes: number) => void;

export interface ResponseStore {
  /**
   * Resolves when the response is committed; also where the database refuses it, and after five
   * seconds in any case. Never rejects.
   */
  keep(response: KeptResponse): Promise<void>;
  find(userId: number, responseId: string): Promise<StoredResponse | null>;
  /** Null: there is none, or its content is not kept. */
  read(userId: number, responseId: string): Promise<ResponseContent | null>;
  /** Throws AppError previous_response_not_found, response_item_not_found. */
  findAll(userId: number, references: ResponseReferences): Promise<FoundReferences>;
  /**
   * The contents of a response and of those it continues, the oldest first. Throws AppError
   * previous_response_not_found where one of them is missing. `claim` is called with their bytes
   * before they are read; what it throws refuses them.
   */
  readConversation(
    userId: number,
    responseId: string,
    claim: Claim,
  ): Promise<readonly ResponseContent[]>;
  /** The responses that these items belong to. Throws AppError response_item_not_found. */
  readHolding(
    userId: number,
    itemIds: readonly string[],
    claim: Claim,
  ): Promise<readonly Pick<ResponseContent, 'response'>[]>;
  /** Whether the user may store this many bytes more; then they are counted. */
  takeRoom(userId: number, bytes: number): Promise<boolean>;
  /** Something else of a user was deleted, or not stored after all: sizes are read again. */
  forgetRoom(): void;
  /** False: there was none. */
  delete(userId: number, responseId: string): Promise<boolean>;
  /** Deletes what has expired, in small steps. */
  purge(signal: AbortSignal): Promise<void>;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

export interface ResponseStoreDeps {
  readonly repository: StoredResponseRepository;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Several processes may write to the database. */
  readonly isShared: boolean;
  /** Days that contents are kept; 0: none are. */
  readonly days: () => number;
  /** Bytes of contents that a user may have; 0: no limit. */
  readonly mostBytes: () => number;
}

const secondsPerDay = 86_400;
/** A response that is under way, failed or was cancelled cannot be continued. */
const continuable: ReadonlySet<string> = new Set(['completed', 'incomplete']);
/** Days that ids are kept where contents are not. */
const idDays = 30;
/** Contents of more characters are not kept. */
export const mostContent = 16 * 1024 * 1024;
/** Responses that one conversation may consist of. */
const longestChain = 10_000;
/**
 * Milliseconds that the end of a reply waits for its response: a database that is stalled must not
 * hold it back for longer.
 */
const longestWait = 5000;
/** Milliseconds until an unknown id is looked up once more. */
const secondLook = 200;
/** Rows deleted in one transaction. */
const purgedAtOnce = 200;

export function createResponseStore({
  repository,
  clock,
  logger,
  isShared,
  days,
  mostBytes,
}: ResponseStoreDeps): ResponseStore {
  const writer = new ResponseWriter(repository, logger, () => quota.forget());
  const quota = new ContentQuota(repository, mostBytes);
  const readKind = async (userId: number, ids: readonly string[], kind: 'input' | 'response') => {
    const contents = new Map<string, JsonValue>();
    for (const [id, text] of await repository.readContents(userId, ids, kind))
      contents.set(id, await unpackJson(text));
    return contents;
  };
  /** Of these responses, in order; null: its contents are not kept. */
  const readContents = async (
    userId: number,
    ids: readonly string[],
  ): Promise<readonly (ResponseContent | null)[]> => {
    const inputs = await readKind(userId, ids, 'input');
    const responses = await readKind(userId, ids, 'response');
    return ids.map((id) => {
      const input = inputs.get(id);
      const response = responses.get(id);
      return input === undefined || !isObject(response)
        ? null
        : { input, response: response as JsonObject };
    });
  };
  const findByItems = async (
    userId: number,
    itemIds: readonly string[],
  ): Promise<ReadonlyMap<string, StoredResponse>> => {
    if (itemIds.length === 0) return new Map();
    const found = await repository.findByItems(userId, itemIds, nowSeconds(clock));
    const missing = itemIds.find((id) => !found.has(id));
    if (missing !== undefined) throw new AppError('response_item_not_found', { id: missing });
    return found;
  };
  const findReferences = async (
    userId: number,
    { previousId, itemIds }: ResponseReferences,
  ): Promise<FoundReferences> => {
    const previous =
      previousId === undefined
        ? null
        : await repository.find(userId, previousId, nowSeconds(clock));
    if (previousId !== undefined && (previous === null || !continuable.has(previous.status)))
      throw new AppError('previous_response_not_found', { id: previousId });
    return { previous: previous ?? undefined, items: await findByItems(userId, itemIds) };
  };
  return {
    keep: ({ content, itemIds, ...row }) => {
      const createdAt = nowSeconds(clock);
      const kept = days();
      const expiresAt = createdAt + (kept === 0 ? idDays : kept) * secondsPerDay;
      let [input, response] =
        kept === 0 ? ['', ''] : [JSON.stringify(content.input), JSON.stringify(content.response)];
      const length = input.length + response.length;
      if (length > mostContent || !writer.hasRoom(length)) [input, response] = ['', ''];
      const sizes = {
        inputSize: Buffer.byteLength(input),
        responseSize: Buffer.byteLength(response),
      };
      const prepare = async () => {
        // Waited for by the writer: the response is written without its contents where they would
        // be too many.
        if (!(await quota.take(row.userId, sizes.inputSize + sizes.responseSize)))
          return {
            ...row,
            input: '',
            response: '',
            inputSize: 0,
            responseSize: 0,
            itemIds,
            createdAt,
            expiresAt,
          };
        const packed = { input: await packJson(input), response: await packJson(response) };
        return { ...row, ...packed, ...sizes, itemIds, createdAt, expiresAt };
      };
      return atMost(
        longestWait,
        writer.add({ userId: row.userId, weight: input.length + response.length, prepare }),
      );
    },
    find: async (userId, responseId) => {
      await writer.written(userId);
      return repository.find(userId, responseId, nowSeconds(clock));
    },
    read: async (userId, responseId) => {
      await writer.written(userId);
      const row = await repository.find(userId, responseId, nowSeconds(clock));
      return row === null ? null : ((await readContents(userId, [responseId]))[0] ?? null);
    },
    findAll: async (userId, references) => {
      await writer.written(userId);
      try {
        return await findReferences(userId, references);
      } catch (error) {
        if (!isShared || !(error instanceof AppError)) throw error;
        // Another process may be writing it.
        await clock.sleep(secondLook);
        return findReferences(userId, references);
      }
    },
    readConversation: async (userId, responseId, claim) => {
      const chain = await repository.listChain(userId, responseId, longestChain);
      claim(
        chain.reduce((total, { inputSize, responseSize }) => total + inputSize + responseSize, 0),
      );
      // Ends where a response was deleted, or goes round where an upstream gives the same id twice.
      const ids = chain.map((row) => row.responseId);
      const broken = chain.at(-1)?.previousId ?? responseId;
      if (broken !== '' || new Set(ids).size !== ids.length)
        throw new AppError('previous_response_not_found', { id: broken });
      return (await readContents(userId, ids.reverse())).map((content, index) => {
        if (content === null)
          throw new AppError('previous_response_not_found', { id: ids[index] ?? '' });
        return content;
      });
    },
    readHolding: async (userId, itemIds, claim) => {
      const rows = new Map<string, StoredResponse>();
      for (const row of (await findByItems(userId, itemIds)).values())
        rows.set(row.responseId, row);
      claim([...rows.values()].reduce((total, { responseSize }) => total + responseSize, 0));
      const responses = await readKind(userId, [...rows.keys()], 'response');
      return [...responses.values()]
        .filter(isObject)
        .map((response) => ({ response: response as JsonObject }));
    },
    takeRoom: (userId, bytes) => quota.take(userId, bytes),
    forgetRoom: () => quota.forget(),
    delete: async (userId, responseId) => {
      await writer.written(userId);
      quota.forget();
      return repository.delete(userId, responseId);
    },
    purge: async (signal) => {
      quota.forget();
      while (!signal.aborted && (await repository.purge(nowSeconds(clock), purgedAtOnce)) > 0);
    },
    close: () => writer.drained(),
  };
}
