/**
 * The form of the catalogue's data (docs/rules/models.md). Rules and rows are JSON, so that a site
 * can be given more of them while it runs; what is read from outside is checked with these
 * schemas. The built-in ones are checked by their types and by a test.
 */
import { z } from '../kernel/zod.ts';
import { reasoningEfforts } from '../vocabulary/reasoning-efforts.ts';

const texts = z.array(z.string().min(1)).readonly();
const tokens = z.int().positive();
const factor = z.number().positive();
/** A day, `2026-11-24`, in UTC. */
const day = z.iso.date();
const effort = z.enum(reasoningEfforts);

/** What a model is called for. */
const kind = z.enum([
  'chat',
  'completion',
  'embedding',
  'image',
  'moderation',
  'realtime',
  'rerank',
  'speech',
  'transcription',
  'video',
]);

const modality = z.enum(['text', 'image', 'audio', 'video', 'file']);

/**
 * Ways to ask for thinking: a budget of tokens; a level or an effort in words; `adaptive`, the
 * model decides; on or off by a switch; `off`, that it can be turned off at all; `between_tools`,
 * the least of models that always think.
 */
const thinkingWay = z.enum(['adaptive', 'between_tools', 'budget', 'level', 'off', 'switch']);

/** What not every model of a vendor takes. True: it does; false: it refuses; absent: unknown. */
const feature = z.enum([
  // An answer may end in order to go on in another reply, which is requested with a token.
  'continuation',
  // OpenAI's role `developer`, which a leading `system` becomes.
  'developer_role',
  // Tools that must be called: `tool_choice` with a name, or any of them.
  'forced_tools',
  // A JSON format together with tools.
  'json_beside_tools',
  // JSON Schema for answers.
  'json_schema',
  // `max_completion_tokens`, and not `max_tokens`.
  'max_completion_tokens',
  // An assistant message at the end, which the answer goes on from.
  'prefill',
  // Sampling fields while the effort is `none`.
  'sampling_without_thinking',
  // The safety threshold `OFF`.
  'safety_off',
  // Instructions apart from the turns.
  'system',
  // `temperature` and `top_p` in one request.
  'two_samplings',
  // Earlier thinking, returned with the conversation.
  'thinking_returned',
  // OpenAI's realtime interface of before 2025-08.
  'realtime_beta',
  // Reranking at the service of its vendor that speaks the common wire.
  'rerank_wire',
  // Replies that are not streamed.
  'whole_replies',
]);

const facts = {
  /** Whose model it is, by the slug of a provider: fields and efforts are those of its own wire. */
  vendor: z.string().min(1),
  kind,
  /** Most tokens of a prompt, and of an answer. */
  inputTokens: tokens,
  outputTokens: tokens,
  reads: z.array(modality).readonly(),
  writes: z.array(modality).readonly(),
  /** Thinks before its first output, unless the request switches that off. */
  thinks: z.boolean(),
  /** Empty: it cannot think, or thinking cannot be requested. */
  thinking: z.array(thinkingWay).readonly(),
  /** The efforts it takes; empty: it refuses the field. */
  efforts: z.array(effort).readonly(),
  usualEffort: effort,
  /** Bounds of a budget of thinking, in tokens; `off`: 0 is taken, too. */
  budget: z.strictObject({ min: z.int(), max: tokens, off: z.boolean() }).readonly(),
  /**
   * OpenAI's models that chat completions does not serve: none of their chats; those with function
   * tools, unless the effort is `none`; those with function tools and an effort besides `none`.
   */
  responses: z.enum(['always', 'tools', 'tools_with_effort']),
  /** Fields of the vendor's wire that are refused, and taken out of every request. */
  drops: texts,
  /** The same for translated requests; a caller of that very wire gets the vendor's own error. */
  dropsTranslated: texts,
  takes: z.partialRecord(feature, z.boolean()).readonly(),
  /** Most texts in one request for embeddings. */
  embeds: tokens,
  /** The lifetimes that a request can choose for its prompt cache, the usual first. */
  cacheLives: z.array(z.enum(['5m', '30m', '1h', '12h', '24h'])).readonly(),
  /** Tools that the vendor runs itself, in its own words. */
  tools: texts,
  /** Dollars for each call of such a tool, besides its tokens. */
  toolPrices: z.record(z.string(), z.number().nonnegative()).readonly(),
  /** Such tools that it calls once in each request without reporting it. */
  alwaysCalled: texts,
  /** Tools of a request, in these versions or later, beside which code runs for nothing. */
  containersFreeWith: texts,
  /** Which model makes images for it, where a request names none. */
  imageModel: z.string().min(1),
  /**
   * What a call for images can ask for; the first size and quality are the defaults. `anySize`: it
   * takes others than these, too.
   */
  images: z
    .strictObject({
      sizes: texts,
      qualities: texts,
      most: z.int().positive(),
      anySize: z.boolean().optional(),
    })
    .readonly(),
  /**
   * What images that are priced one by one cost, over the price of the model: by size, by quality, or
   * by both (`1024x1792 hd`); where the prompt is extended first. `byTokens`: it reports tokens, and
   * costs those.
   */
  imagePrices: z
    .strictObject({
      factors: z.record(z.string(), factor).optional(),
      extended: factor.optional(),
      byTokens: z.boolean().optional(),
    })
    .readonly(),
  /**
   * Dollars for each second of a video that it makes, by resolution (`720P`), with ` silent` behind
   * one that costs something else without sound; `*`: of every other resolution.
   */
  secondPrices: z.record(z.string(), z.number().nonnegative()).readonly(),
  /** Price of thinking over that of input. Absent: it costs what output costs. */
  thinkingRatio: factor,
  /** Price of cached audio over that of audio. Absent: it costs what cached text costs. */
  cachedAudio: factor,
  /** Tokens of a minute of speech that it makes, for replies without usage. */
  speechTokens: tokens,
  tokenizer: z.enum(['o200k', 'cl100k']),
  /** Prompt tokens of an image: a base and so much for each tile, or patches × a factor. */
  imageTokens: z
    .strictObject({
      base: z.number().nonnegative(),
      tile: z.number().positive().optional(),
      patchFactor: factor.optional(),
    })
    .readonly(),
} as const;

const origin = {
  /** A public page that says so, and the day on which it did. */
  source: z.url(),
  seen: day,
} as const;

export const modelFacts = z.strictObject(facts).partial().readonly();
export type ModelFacts = z.infer<typeof modelFacts>;
export type ModelFeature = z.infer<typeof feature>;

/**
 * Says something of all models whose name fits. Of several the later says more: it replaces what
 * the ones before it said of the same fact, `takes` feature by feature.
 */
export const modelRule = z
  .strictObject({
    /** What models of this rule are called together: `gpt-6`. */
    family: z.string().min(1),
    /** The name begins with one of these. */
    of: texts,
    /** The generation in the name is at least, and less than, this. */
    from: z.number().optional(),
    below: z.number().optional(),
    /** The name contains one of these, and none of those. */
    has: texts.optional(),
    lacks: texts.optional(),
    ...modelFacts.unwrap().shape,
    ...origin,
  })
  .readonly();
export type ModelRule = z.infer<typeof modelRule>;

const price = z.number().nonnegative();
/** In UTC: days of the week (0: Sunday), and minutes of the day, the last not included. */
const peakHours = z
  .strictObject({
    days: z.array(z.int().min(0).max(6)).readonly(),
    from: z.int().min(0).max(1440),
    to: z.int().min(0).max(1440),
  })
  .readonly();
/** A list price: dollars per million tokens, but for `call`. */
export const listPrice = z
  .strictObject({
    input: price,
    /** Of models that draw: of their images. */
    output: price,
    /** Text and thinking of a model that draws. Absent: they cost what `output` says. */
    textOutput: price.optional(),
    /** Absent: cache reads and writes cost what input costs. */
    cacheRead: price.optional(),
    /** Of the usual life of the cache, and of the longer one. */
    cacheWrite: price.optional(),
    longCacheWrite: price.optional(),
    audioInput: price.optional(),
    /** Absent: cached audio costs what the family's rule says, else what cached text costs. */
    audioCacheRead: price.optional(),
    audioOutput: price.optional(),
    imageInput: price.optional(),
    /** Absent: cached images cost what cached text costs. */
    imageCacheRead: price.optional(),
    /**
     * With more tokens of prompt than `above` all of the request costs so many times as much; cache
     * reads and writes as much as input, unless they have factors of their own.
     */
    steps: z
      .array(
        z.strictObject({
          above: tokens,
          input: factor,
          output: factor,
          cacheRead: factor.optional(),
          cacheWrite: factor.optional(),
        }),
      )
      .readonly()
      .optional(),
    /** In which hours it is the price; at others the factor of the tier `offpeak` holds. */
    peakHours: z.array(peakHours).readonly().optional(),
    /** Factors of tiers, speeds and places: `priority`, `flex`, `fast`, `us`. */
    factors: z.record(z.string(), factor).readonly().optional(),
    /** Of cache reads and writes in such a tier, where they are others. */
    cacheFactors: z
      .record(
        z.string(),
        z.strictObject({ read: factor.optional(), write: factor.optional() }).readonly(),
      )
      .readonly()
      .optional(),
  })
  .readonly();
export type ListPrice = z.infer<typeof listPrice>;

/** One model: what only it has, over what the rules say of its name. */
export const modelRow = z
  .strictObject({
    name: z.string().min(1),
    /** Other names of the same model. */
    aliases: texts.optional(),
    released: day.optional(),
    /** The first day on which the vendor no longer serves it. */
    ends: day.optional(),
    /** The same where others serve it, by the slug of the provider: clouds have days of their own. */
    endsAt: z.record(z.string(), day).readonly().optional(),
    successor: z.string().optional(),
    /** What its maker says of it, for the model square. */
    description: z
      .strictObject({ en: z.string().min(1).max(1000), zh: z.string().min(1).max(1000).optional() })
      .readonly()
      .optional(),
    price: listPrice.optional(),
    /** What it costs from a day on that its vendor has named; until then `price` holds. */
    nextPrice: z
      .strictObject({ from: day, price: listPrice, ...origin })
      .readonly()
      .optional(),
    ...modelFacts.unwrap().shape,
    ...origin,
  })
  .readonly();
export type ModelRow = z.infer<typeof modelRow>;
